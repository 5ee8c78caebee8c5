//! Turns `openapi.yaml`, which people write, into `openapi.json`, which the service also serves.

use std::error::Error;
use std::fs;
use std::path::Path;

/// Where Cargo wants what a build script makes.
#[expect(clippy::disallowed_methods, reason = "this is how Cargo says it, and no setting")]
fn out_dir() -> Result<String, std::env::VarError> {
    std::env::var("OUT_DIR")
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=openapi.yaml");
    let document: serde_json::Value = serde_saphyr::from_str(&fs::read_to_string("openapi.yaml")?)?;
    let target = Path::new(&out_dir()?).join("openapi.json");
    fs::write(target, serde_json::to_string(&document)?)?;
    Ok(())
}
