// Runs the binary in fresh directories, as a user would.
