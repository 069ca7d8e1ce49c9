/* MPS2 with AN386 (Cortex-M4): in all that is used here like AN385. */
#include "mps2-an385.h"
