//! Bounds: workers, queue, deadline, hang-up and panic, by solvers that the tests control.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use sudoku_api::http::{App, Limits, router};
use sudoku_api::pool::{Pool, PoolError, Usage};
use sudoku_api::sudoku::{self, Givens, Interrupt, Outcome};

use crate::support::{PUZZLE, SOLUTION, app_with, empty_grid, gate, get, limits, post, until};

fn service(
    workers: usize,
    queue: usize,
    solver: Arc<sudoku_api::http::Solver>,
    limits: Limits,
) -> (App, Router) {
    let app = app_with(Pool::new(workers, queue), solver, limits);
    let router = router(&app, true);
    (app, router)
}

fn spawn_post(router: &Router, body: String) -> tokio::task::JoinHandle<crate::support::Answer> {
    let router = router.clone();
    tokio::spawn(async move { post(&router, &[], body).await })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once_with_retry_after() {
    let gate = gate();
    let (app, router) = service(1, 1, gate.solver, limits());
    let running = spawn_post(&router, empty_grid());
    gate.entered.recv().expect("the first search begins");
    let waiting = spawn_post(&router, PUZZLE.to_owned());
    until(|| app.pool.usage() == Usage { waiting: 1, running: 1 }).await;

    let refused = post(&router, &[], PUZZLE).await;
    assert!(refused.body.contains("found 1 busy and 1 waiting"), "{}", refused.body);
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "overloaded"));
    assert_eq!(refused.header("retry-after"), "30", "whole seconds, never more than 30");
    assert_eq!(refused.header("cache-control"), "no-store");

    gate.release.send(()).expect("the search waits");
    assert_eq!(running.await.expect("no panic").status, 200);
    assert_eq!(waiting.await.expect("no panic").body.trim(), SOLUTION);
    let metrics = get(&router, "/metrics", &[]).await.body;
    assert!(metrics.contains("sudoku_refused_total{reason=\"overloaded\"} 1"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_of_zero_refuses_what_cannot_start_at_once() {
    let gate = gate();
    let (_, router) = service(1, 0, gate.solver, limits());
    let running = spawn_post(&router, empty_grid());
    gate.entered.recv().expect("a worker is free");
    assert_eq!(post(&router, &[], PUZZLE).await.code(), "overloaded");
    gate.release.send(()).expect("the search waits");
    assert_eq!(running.await.expect("no panic").status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passed_deadline_interrupts_the_search_and_frees_the_worker() {
    let gate = gate();
    let limits = Limits { deadline: Duration::from_millis(20), ..limits() };
    let (app, router) = service(1, 1, gate.solver, limits);
    // On a busy machine the deadline may pass before the search begins.
    let mut refused = 0;
    while gate.entered.try_recv().is_err() {
        let late = post(&router, &[], empty_grid()).await;
        assert_eq!((late.status.as_u16(), late.code().as_str()), (503, "deadline_exceeded"));
        assert_eq!(late.header("retry-after"), "1");
        assert_ne!(late.header("server-timing"), "");
        refused += 1;
    }
    gate.interrupted.recv().expect("the search sees the interrupt");
    until(|| app.pool.usage() == Usage { waiting: 0, running: 0 }).await;
    let metrics = get(&router, "/metrics", &[]).await.body;
    let count = format!("sudoku_refused_total{{reason=\"deadline_exceeded\"}} {refused}\n");
    assert!(metrics.contains(&count), "{metrics}");
    assert!(
        metrics.contains("sudoku_solve_nodes_count 1\n"),
        "interrupted searches count: {metrics}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_whose_deadline_passes_in_the_queue_is_never_begun() {
    let pool = Pool::new(1, 8);
    let (release, released) = channel::<()>();
    let (begun, begins) = channel();
    let busy = tokio::spawn({
        let pool = pool.clone();
        let begun = begun.clone();
        async move {
            let later = Instant::now() + Duration::from_mins(1);
            let job = move |_: &Interrupt| {
                begun.send("first").expect("the test listens");
                released.recv()
            };
            pool.run(later, job).await
        }
    });
    assert_eq!(begins.recv(), Ok("first"));
    let soon = Instant::now() + Duration::from_millis(10);
    let late = pool.run(soon, move |_| begun.send("second")).await;
    assert_eq!(late.result.expect_err("no worker is free"), PoolError::DeadlineExceeded);
    assert_eq!(pool.usage(), Usage { waiting: 0, running: 1 });
    release.send(()).expect("the job waits");
    assert!(busy.await.expect("no panic").result.is_ok());
    assert!(begins.recv().is_err(), "the second job was dropped without a run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_request_interrupts_its_search() {
    let gate = gate();
    let (app, router) = service(1, 1, gate.solver, limits());
    let running = spawn_post(&router, empty_grid());
    gate.entered.recv().expect("the search begins");
    running.abort();
    gate.interrupted.recv().expect("the search sees the interrupt");
    until(|| app.pool.usage().running == 0).await;
    let metrics = get(&router, "/metrics", &[]).await.body;
    assert!(
        metrics
            .contains("sudoku_requests_total{method=\"POST\",route=\"/solve\",status=\"499\"} 1"),
        "{metrics}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_the_solver_costs_one_request() {
    let solver = |givens: &Givens, interrupt: &Interrupt| {
        assert_ne!(*givens, Givens::default(), "injected");
        sudoku::solve(givens, interrupt)
    };
    let (app, router) = service(1, 1, Arc::new(solver), limits());
    for panics in 1..=3 {
        let failed = post(&router, &[("x-request-id", "mine")], empty_grid()).await;
        assert_eq!((failed.status.as_u16(), failed.code().as_str()), (500, "internal"));
        assert_eq!(failed.json()["request_id"], "mine");
        assert_eq!(post(&router, &[], PUZZLE).await.status, 200);
        assert_eq!(app.metrics.panics.get(), panics);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_search_is_never_called_unsolvable() {
    let solver = |_: &Givens, _: &Interrupt| Outcome::Interrupted;
    let (_, router) = service(1, 1, Arc::new(solver), limits());
    assert_eq!(post(&router, &[], PUZZLE).await.code(), "deadline_exceeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pool_interrupts_and_refuses() {
    let gate = gate();
    let (app, router) = service(1, 1, gate.solver, limits());
    let running = spawn_post(&router, empty_grid());
    gate.entered.recv().expect("the search begins");
    let waiting = spawn_post(&router, PUZZLE.to_owned());
    until(|| app.pool.usage().waiting == 1).await;
    app.pool.close();
    assert_eq!(running.await.expect("no panic").code(), "shutting_down");
    assert_eq!(waiting.await.expect("no panic").code(), "shutting_down");
    assert_eq!(post(&router, &[], PUZZLE).await.code(), "shutting_down");
}

#[tokio::test]
async fn a_draining_service_is_alive_and_not_ready() {
    let (app, router) = service(1, 1, Arc::new(sudoku::solve), limits());
    assert_eq!(get(&router, "/readyz", &[]).await.body, "ok\n");
    app.drain();
    let ready = get(&router, "/readyz", &[]).await;
    assert_eq!((ready.status.as_u16(), ready.code().as_str()), (503, "shutting_down"));
    assert_eq!(ready.header("retry-after"), "1");
    assert_eq!(get(&router, "/livez", &[]).await.body, "ok\n");
    let solved = post(&router, &[], PUZZLE).await;
    assert_eq!((solved.status.as_u16(), solved.header("connection")), (200, "close"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_jobs_run_than_there_are_workers_and_none_is_lost() {
    const JOBS: usize = 500;
    for workers in [1, 2, 5] {
        let pool = Pool::new(workers, JOBS);
        let running = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..JOBS {
            let (pool, running, most) = (pool.clone(), Arc::clone(&running), Arc::clone(&most));
            tasks.spawn(async move {
                let job = move |_: &Interrupt| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                    number
                };
                pool.run(Instant::now() + Duration::from_mins(1), job).await.result
            });
        }
        let mut done: Vec<usize> = tasks
            .join_all()
            .await
            .into_iter()
            .map(|result| result.expect("there is room"))
            .collect();
        done.sort_unstable();
        assert_eq!(done, (0..JOBS).collect::<Vec<_>>());
        assert!((1..=workers).contains(&most.load(Ordering::SeqCst)), "{workers} workers");
        until(|| pool.usage() == Usage { waiting: 0, running: 0 }).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_would_wait_for_too_long_is_refused() {
    let pool = Pool::new(1, 1000);
    let later = || Instant::now() + Duration::from_mins(1);
    let nap = |_: &Interrupt| std::thread::sleep(Duration::from_millis(20));
    // The mean of what a job takes is now known.
    for _ in 0..50 {
        assert!(pool.run(later(), nap).await.result.is_ok());
    }
    let (release, released) = channel::<()>();
    let busy = pool.run(later(), move |_: &Interrupt| released.recv());
    let waiting = (0..100).map(|_| pool.run(later(), |_: &Interrupt| ()));
    let hurried = async {
        until(|| pool.usage() == Usage { waiting: 100, running: 1 }).await;
        // A hundred jobs of some 20 ms are before it.
        let refused = pool.run(Instant::now() + Duration::from_secs(1), |_: &Interrupt| ()).await;
        release.send(()).expect("the job waits");
        refused.result
    };
    let (_, _, refused) = tokio::join!(busy, futures_util::future::join_all(waiting), hurried);
    assert_eq!(refused, Err(PoolError::Full { waiting: 100 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_run_in_the_order_of_their_arrival() {
    let pool = Pool::new(1, 100);
    let order = Arc::new(Mutex::new(Vec::new()));
    let later = Instant::now() + Duration::from_mins(1);
    let jobs = (0..50).map(|number| {
        let order = Arc::clone(&order);
        pool.run(later, move |_: &Interrupt| order.lock().expect("no panic").push(number))
    });
    futures_util::future::join_all(jobs).await;
    assert_eq!(*order.lock().expect("no panic"), (0..50).collect::<Vec<_>>());
}
