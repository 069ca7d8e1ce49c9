# Reads what a program sends by RTT, as the debugger of a board does, into the file gmon.out.
break *rtt_wait
break *power_off
continue
while $pc != (unsigned long)&power_off
    # Behind the end of the ring follows its start.
    if rtt.up.out > rtt.up.in
        append binary memory gmon.out rtt.up.bytes+rtt.up.out rtt.up.bytes+rtt.up.size
        set var rtt.up.out = 0
    end
    if rtt.up.out != rtt.up.in
        append binary memory gmon.out rtt.up.bytes+rtt.up.out rtt.up.bytes+rtt.up.in
        set var rtt.up.out = rtt.up.in
    end
    continue
end
kill
