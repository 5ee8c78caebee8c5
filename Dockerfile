FROM rust:1.95-bookworm AS build
WORKDIR /build

# Static glibc, not musl: musl's allocator is slow with many threads.
ENV RUSTFLAGS="-C target-feature=+crt-static"

# Dependencies first, with placeholders for our sources, so that a change in
# src/ does not rebuild them. Benches, tests and examples are not in the
# context, and Cargo refuses a manifest that lists targets whose files are missing.
COPY Cargo.toml Cargo.lock /manifest/
RUN awk '/^\[/ { skip = /^\[\[(bench|example|test)\]\]/ } !skip' \
        /manifest/Cargo.toml > Cargo.toml \
    && cp Cargo.toml /manifest/Cargo.toml \
    && cp /manifest/Cargo.lock . \
    && mkdir src \
    && echo '//! Placeholder.' > src/lib.rs \
    && printf '//! Placeholder.\nfn main() {}\n' | tee src/main.rs > build.rs \
    # Naming the target keeps RUSTFLAGS away from build scripts and procedural
    # macros, which cannot be static.
    && cargo build --release --locked --target host-tuple --bin sudoku-api \
    # COPY keeps the time stamps of the sources, which are older than the
    # placeholders' output: Cargo would take that for up to date.
    && cargo clean --release --target host-tuple --package sudoku-api \
    && rm -r src build.rs

COPY . .
RUN cp /manifest/Cargo.toml . \
    && cargo build --release --frozen --target host-tuple --bin sudoku-api \
    # The target's directory is named after the machine.
    && cp target/*/release/sudoku-api /sudoku-api

FROM scratch

ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="sudoku-api" \
      org.opencontainers.image.description="HTTP service that answers a Sudoku with its smallest solution" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

COPY --from=build /sudoku-api /sudoku-api

# By number: an empty image has no /etc/passwd to look a name up in.
USER 65532:65532

# The drain delay lets a load balancer see the failing readiness check before
# the listener closes.
ENV SUDOKU_LISTEN=0.0.0.0:8080 \
    SUDOKU_DRAIN_DELAY=2s \
    SUDOKU_LOG_FORMAT=json
EXPOSE 8080

HEALTHCHECK --interval=5s --timeout=3s --start-period=5s --retries=3 \
    CMD ["/sudoku-api", "healthcheck"]
ENTRYPOINT ["/sudoku-api"]
