"""Arrays in, numbers out: no function here knows the name of a column."""
