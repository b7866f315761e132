"""System-level metrics from segment statistics, with intervals and significance tests."""
