//! The explanations that follow the reports unless they are to be brief.

/// Explains the columns of the flat profile.
pub(super) const FLAT: &str = "
 % time      how much of the program's whole running time was spent in
             this function itself, in percent.

cumulative   the sum of the self times of this function and of all those
 seconds     listed above it.

  self       the time spent in this function itself, without the functions
 seconds     it called. The table is sorted by this column first.

 calls       how often the function was called, if it was compiled for
             profiling; blank otherwise. Calls by itself are not counted.

  self       the average time that one call spent in this function itself,
 ms/call     if it was compiled for profiling; blank otherwise. The unit is
             chosen to suit the numbers.

  total      the average time that one call spent in this function and in
 ms/call     the functions it called, if it was compiled for profiling;
             blank otherwise.

 name        the function. Functions with equal times are sorted by calls,
             then by name. Where a number stands beside a name it is that of
             the function's entry in the call graph: in brackets if the entry
             is printed, in parentheses if it is not.
";

/// Explains the entries of the call graph.
pub(super) const CALL_GRAPH: &str = "
 This table shows, for every function, which functions called it and which
 functions it called, and how much time went into each. It is sorted by the
 time spent in a function together with everything it called.

 An entry stands between two dashed lines. Its primary line begins with an
 index number in brackets and is about the function itself. The lines above
 it are about the function's callers, the lines below it about the functions
 it called.

 The primary line:

     index      the number of the entry. It stands beside the function's
                name wherever that is printed, to make its entry easy to
                find.

     % time     how much of the program's whole time was spent in this
                function and in those it called, in percent. These numbers
                do not add up to 100, since the time of a function is part
                of that of its callers too.

     self       the time spent in this function itself.

     children   the time that the functions it called passed on to it.

     called     how often other functions called this one. If it also
                called itself, a `+' and the number of those calls follow.

     name       the function, its cycle if it is part of one, and its index
                number.

 A caller's line:

     self       the part of this function's self time that was spent on
                behalf of the caller.

     children   the part of this function's children time that was spent on
                behalf of the caller.

     called     how often this caller called the function, `/', and how often
                it was called in all. Calls by itself, and by functions of
                its own cycle, are not part of the second number.

     name       the caller, its cycle and its index number. If no caller is
                known, the word `<spontaneous>' stands here.

 A callee's line:

     self       the part of the callee's self time that was spent on behalf
                of this function.

     children   the part of the callee's children time that was spent on
                behalf of this function.

     called     how often this function called the callee, `/', and how often
                the callee was called in all.

     name       the callee, its cycle and its index number.

 Time is divided among callers by the number of their calls: a caller with
 half of the calls gets half of the time.

 Functions that all call each other, directly or through others, form a
 cycle. It has an entry of its own, `<cycle as a whole>', in which the lines
 below the primary line are its members. Its `called' column has the number
 of calls from outside, `+', and the calls among the members. Lines about
 calls within a cycle have only a count, as no time is passed along them.
";
