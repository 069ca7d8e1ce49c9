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

/// Explains the flat profile in BSD's layout, before it.
pub(super) const TRADITIONAL_FLAT: &str = "


flat profile:

 %          how much of the program's whole running time was spent in
time        this function itself, in percent.

cumulative  the sum of the self times of this function and of all those
seconds     listed above it.

self        the time spent in this function itself. The table is sorted by
seconds     this column first.

calls       how often the function was called, not counting calls by
            itself; blank if it was not compiled for profiling.

self        the average time, in thousandths of the unit, that one call
ms/call     spent in this function itself.

total       the average time, in thousandths of the unit, that one call
ms/call     spent in this function and in the functions it called.

name        the function, its cycle if it is part of one, and the number of
            its call graph entry: in brackets if the entry is printed, in
            parentheses if it is not. Functions with equal times are sorted
            by calls, then by name.
";

/// Explains the call graph in BSD's layout, before it.
pub(super) const TRADITIONAL_CALL_GRAPH: &str = "


call graph profile:

 Every function has an entry between two lines of dashes. Entries are sorted
 by the time spent in a function together with its descendants, which are
 the functions it called, those they called, and so on.

 The function's own line, which begins with its index:

index        the number of the entry, by which it is found.

%time        how much of the program's whole time was spent in the function
             and its descendants, in percent.

self         the time spent in the function itself.

descendants  the time that its descendants spent for it.

called       how often other functions called it.

self         how often it called itself, after a `+'.

name         the function, its cycle if it is part of one, and its index.

 The lines above, one for each parent: a function that called it.

self*        the part of the function's self time that was spent for this
             parent.

descendants* the part of its descendants' time that was spent for this parent.

called**     how often this parent called it.

total*       how often all parents called it. Called divided by total is the
             part of the time that the parent gets.

parents      the parent, its cycle if it is part of one, and its index.

 The lines below, one for each child: a function that it called.

self*        the part of the child's self time that was spent for it.

descendants* the part of the child's descendants' time that was spent for it.

called**     how often it called this child.

total*       how often all functions called this child.

children     the child, its cycle if it is part of one, and its index.

 A cycle, which is a set of functions that all call each other, directly or
 through others, has an entry of its own. The lines below its own line are
 its members, with what they contribute.

 *  left out where parent or child belongs to the same cycle as the function.
    For a member of another cycle, times and total are those of that cycle as
    a whole.

 ** 0 for a call that is in the code but was never made.
";
