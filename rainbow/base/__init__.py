"""What every room stands on: arrays, files, workers, caches, and the door to the compiled kernels."""
