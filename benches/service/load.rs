//! Many requests at a time, by `wrk`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::server::Server;

const SECONDS_A_ROUND: &str = "2s";

/// What every request of a round is.
pub(crate) enum Load {
    /// `POST /solve` of this puzzle, by the script that was written for it.
    Post(PathBuf),
    /// `GET /solve/…` of this puzzle.
    Get(&'static str),
    /// The same of which the client has the answer already.
    GetAgain(&'static str),
}

impl Load {
    pub(crate) fn post(name: &str, puzzle: &str) -> Result<Self> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("lua");
        let script = format!(
            "wrk.method = 'POST'\nwrk.headers['content-type'] = 'application/json'\n\
             wrk.body = '{{\"puzzle\":\"{puzzle}\"}}'\n"
        );
        std::fs::write(&path, script)?;
        Ok(Self::Post(path))
    }

    /// Requests a second under load; every answer has to be a success.
    pub(crate) fn rate(&self, server: &Server, connections: usize) -> Result<f64> {
        let mut wrk = Command::new("wrk");
        wrk.args(["-t1", &format!("-c{connections}"), "-d", SECONDS_A_ROUND]);
        let path = match self {
            Self::Post(script) => {
                wrk.arg("-s").arg(script);
                "/solve".to_owned()
            }
            Self::Get(puzzle) => format!("/solve/{puzzle}"),
            Self::GetAgain(puzzle) => {
                let path = format!("/solve/{puzzle}");
                let answer = server.get(&path)?;
                let tag = answer.lines().find_map(|line| line.strip_prefix("etag: "));
                wrk.args(["-H", &format!("if-none-match: {}", tag.ok_or("no etag")?)]);
                path
            }
        };
        let output = wrk
            .arg(format!("http://{}{path}", server.address))
            .output()
            .map_err(|error| format!("wrk: {error}"))?;
        let report = String::from_utf8(output.stdout)?;
        if report.contains("Non-2xx") || report.contains("Socket errors") {
            return Err(format!("not every request was answered:\n{report}").into());
        }
        let rate = report.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
        Ok(rate.ok_or("no rate in wrk's report")?.trim().parse()?)
    }
}
