//! 10,000 double pendulums on a GPU: `cargo run --release` in this folder.
//!
//! The runtime simulates one `system!` on the processor, and a kernel simulates it on the GPU: the same call, exported as
//! CUDA C and compiled by NVRTC when the program runs. Every pendulum has lengths of its own. Both take the same steps of
//! Runge–Kutta with projection, so they differ only by rounding. Without a GPU or CUDA, the program says so and uses the
//! processor only.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::time::Instant;

use constraint_runtime::prelude::*;
use constraint_symbolic::export::{Target, export};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};

/// The system, and its call as text.
macro_rules! both {
    ($($system:tt)*) => {
        system! { $($system)* }
        const CALL: &str = stringify!(system! { $($system)* });
    };
}

both! {
    pub struct Rods { pub m: Real = 1, pub l: Vector2 = [1, 0.8], pub g: Real = 9.81 }

    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint upper_rod: norm(upper) == l.x;
    constraint lower_rod: norm(lower - upper) == l.y;

    potential m*g*(upper.y + lower.y);
}

const COPIES: usize = 10_000;
const STEP: f64 = 1e-3;
const STEPS: usize = 1000;
/// Threads of a block: at most what the kernel is compiled for, so many that each can have all the registers it asks for.
const BLOCK: u32 = 128;
/// Coordinates of a copy.
const N: usize = 4;

/// A copy: from 0.5 m to 1 m of upper rod, all let go level.
fn copy(number: usize) -> (Rods, [f64; N]) {
    let upper = 0.5 + 0.5 * number as f64 / COPIES as f64;
    let rods = Rods {
        l: Vector2::new(upper, 0.8),
        ..Rods::default()
    };
    (rods, [upper, 0.0, upper + 0.8, 0.0])
}

fn main() -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let ends: Result<Vec<[f64; N]>, _> = (0..COPIES).map(on_the_processor).collect();
    let ends = ends?;
    println!(
        "processor, one thread: {COPIES} copies, {STEPS} steps in {:.3} s",
        begin.elapsed().as_secs_f64()
    );
    if let Some(missing) = missing() {
        println!("no GPU was used: {missing}");
        return Ok(());
    }
    let found = on_the_gpu()?;
    let copies = ends.iter().zip(&found);
    let apart = copies.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()));
    let apart = apart.fold(0.0, f64::max);
    println!("the largest difference of a coordinate: {apart:.1e} m");
    // A second is too short for chaos to show what rounding is.
    assert!(apart < 1e-9, "the GPU moves them elsewhere");
    Ok(())
}

fn on_the_processor(number: usize) -> Result<[f64; N], constraint_runtime::Error> {
    let (rods, start) = copy(number);
    let mut run = Simulation::new(rods, State::new(0.0, start, [0.0; N]), Rk4::new(STEP))?;
    for _ in 0..STEPS {
        run.step()?;
    }
    Ok(run.state().q.into())
}

/// What of CUDA is not there.
fn missing() -> Option<String> {
    // SAFETY: both look for a library, and call nothing of it.
    let [driver, compiler] = unsafe {
        [
            cudarc::driver::sys::is_culib_present(),
            cudarc::nvrtc::sys::is_culib_present(),
        ]
    };
    if !driver {
        return Some("the driver of CUDA (libcuda) is not installed".to_owned());
    }
    if !compiler {
        return Some("the compiler of CUDA (libnvrtc) is not installed".to_owned());
    }
    let context = CudaContext::new(0);
    context
        .err()
        .map(|error| format!("there is none ({error})"))
}

fn on_the_gpu() -> Result<Vec<[f64; N]>, Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let source = export(CALL.parse()?, Target::Cuda)?;
    let options = CompileOptions {
        fmad: Some(false),
        ..CompileOptions::default()
    };
    let module = context.load_module(compile_ptx_with_opts(&source, options)?)?;
    let kernel = module.load_function("rods_run")?;

    // The struct of the parameters is doubles alone; the values of one coordinate of all copies are contiguous.
    let (mut own, mut q) = (Vec::new(), vec![0.0; N * COPIES]);
    for number in 0..COPIES {
        let (rods, start) = copy(number);
        own.extend([rods.m, rods.l.x, rods.l.y, rods.g]);
        for (j, x) in start.into_iter().enumerate() {
            q[j * COPIES + number] = x;
        }
    }
    let own = stream.clone_htod(&own)?;
    let mut q = stream.clone_htod(&q)?;
    let mut v = stream.alloc_zeros::<f64>(N * COPIES)?;
    let (t, h, steps, copies) = (0.0, STEP, STEPS as i32, COPIES as i32);

    let begin = Instant::now();
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&own).arg(&t).arg(&h).arg(&steps).arg(&copies);
    launch.arg(&mut q).arg(&mut v);
    let blocks = LaunchConfig {
        grid_dim: ((COPIES as u32).div_ceil(BLOCK), 1, 1),
        block_dim: (BLOCK, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: these are the arguments of `rods_run`, and each array has the numbers of all copies.
    unsafe { launch.launch(blocks) }?;
    stream.synchronize()?;
    println!(
        "GPU ({}): the same in {:.3} s",
        context.name()?,
        begin.elapsed().as_secs_f64()
    );
    let q = stream.clone_dtoh(&q)?;
    let copy = |number| std::array::from_fn(|j| q[j * COPIES + number]);
    Ok((0..COPIES).map(copy).collect())
}
