# The developer's commands; `make check` is what a change has to pass.

.PHONY: check format lint docs core test openapi bench bench-service bench-overload bench-solver attack fuzz container-check

check: format lint docs core test openapi

format:
	cargo fmt --check

lint:
	cargo clippy --all-targets --locked -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked --document-private-items

# The solver must not come to depend on anything but the standard library.
core:
	@mkdir -p target
	rustc --edition 2024 --crate-type lib --emit=metadata -D warnings -o target/core.rmeta src/sudoku/mod.rs

test:
	cargo test --locked

# Needs Python; the validator goes into an environment of its own.
openapi:
	@test -x target/openapi/bin/openapi-spec-validator || { \
		python3 -m venv target/openapi && \
		target/openapi/bin/pip install --quiet openapi-spec-validator==0.7.2; }
	target/openapi/bin/openapi-spec-validator openapi.yaml

bench: bench-service bench-overload bench-solver

# Needs wrk.
bench-service:
	cargo bench --locked --bench service

bench-overload:
	cargo bench --locked --bench overload

# With the lists of published puzzles if SUDOKU_TEST_DATA names their folder.
bench-solver:
	cargo bench --locked --bench solver

# Hunts for SECONDS for grids that are hard on the solver.
attack:
	cargo bench --locked --bench attack

# Needs cargo-fuzz.
fuzz:
	cargo fuzz run --sanitizer none solver -- -max_total_time=$${SECONDS:-60} -max_len=81

# Needs a Docker engine.
container-check:
	deploy/check-container
