# Does what the trace macrocell of a board does and the emulator lacks: makes packets of what a program writes to a port, into
# the file trace. The program has the registers in memory, at 0x20300000.
set *(unsigned *) 0x20300e80 = 1
set *(unsigned *) 0x20300e00 = 2
break *send_word
break *send_byte
break *power_off

# A synchronization, text on port 0, and a program counter.
append binary value trace {(char) 0, (char) 0, (char) 0, (char) 0, (char) 0, (char) 0x80}
append binary value trace {(char) 0x02, (char) 0x68, (char) 0x69}
append binary value trace {(char) 0x17, (char) 0, (char) 1, (char) 2, (char) 3}

continue
while $pc != (unsigned long) &power_off
    # There is room.
    set *(unsigned *) 0x20300004 = 1
    if $pc == ((unsigned long) &send_word & ~1)
        append binary value trace (char) 0x0b
        append binary value trace (unsigned) $r0
    else
        append binary value trace (char) 0x09
        append binary value trace (char) $r0
    end
    continue
end
kill
