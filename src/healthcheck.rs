//! Asks a running service whether it is ready: what a container without a shell checks itself with.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Requests `/readyz` and expects a 200 within the time.
///
/// An unspecified address, to which a service may be bound, is asked through the loopback.
///
/// # Errors
///
/// If there is no answer in time or another one.
pub fn check(address: SocketAddr, timeout: Duration) -> io::Result<()> {
    let end = Instant::now() + timeout;
    let left = || match end.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
        left => Ok(left),
    };
    let mut stream = TcpStream::connect_timeout(&reachable(address), left()?)?;
    stream.set_write_timeout(Some(left()?))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    // The status line is all that matters, and it comes first.
    while answer.len() < b"HTTP/1.1 200".len() {
        stream.set_read_timeout(Some(left()?))?;
        let mut buffer = [0; 64];
        match stream.read(&mut buffer)? {
            0 => break,
            length => answer.extend_from_slice(&buffer[..length]),
        }
    }
    if answer.starts_with(b"HTTP/1.1 200") {
        Ok(())
    } else {
        let line = String::from_utf8_lossy(&answer);
        let line = line.lines().next().unwrap_or_default().to_owned();
        Err(io::Error::other(format!("expected HTTP/1.1 200, found '{line}'")))
    }
}

fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
