//! The commands of the README print what the README says.

use std::process::Command;

use crate::process::start;

const README: &str = include_str!("../../README.md");
const ADDRESS: &str = "localhost:8080";

/// The commands of the `console` blocks, each with the output shown below it.
fn commands() -> Vec<(&'static str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for block in README.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the block ends");
        for line in block.lines() {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command, String::new())),
                (None, Some((_, output))) => {
                    output.push_str(line);
                    output.push('\n');
                }
                (None, None) => panic!("output before any command: {line}"),
            }
        }
    }
    commands
}

#[test]
#[ignore = "needs curl"]
fn each_command_of_the_readme_prints_what_it_says() {
    let service = start(&[]);
    let address = service.address.to_string();
    let commands = commands();
    assert!(commands.len() >= 7, "only {} commands were found", commands.len());
    for (command, expected) in commands {
        let output = Command::new("sh")
            .args(["-c", &command.replace(ADDRESS, &address)])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("sh runs");
        let mut printed = String::from_utf8(output.stdout).expect("UTF-8");
        if !printed.ends_with('\n') {
            printed.push('\n');
        }
        assert_eq!(printed, expected, "{command}");
    }
}
