//! Small programs on top of Kindsmith; see the files beside this one.
