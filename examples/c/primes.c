/* A small program with something to optimise: three ways to decide whether a number is prime, and
   a profile that tells which of them takes the time. */
/*# arc main -> count_primes 3 */
/*# arc count_primes -> by_trial_of_all 20000 */
/*# arc count_primes -> by_trial_up_to_root 20000 */
/*# arc count_primes -> by_sieve 20000 */
/*# arc by_sieve -> fill_sieve 1 */
#include <stdio.h>
#include "counted.h"

#define LIMIT 20000

COUNTED int by_trial_of_all(int n)
{
    for (int divisor = 2; divisor < n; divisor++)
        if (n % divisor == 0)
            return 0;
    return n > 1;
}

COUNTED int by_trial_up_to_root(int n)
{
    for (int divisor = 2; divisor * divisor <= n; divisor++)
        if (n % divisor == 0)
            return 0;
    return n > 1;
}

static char composite[LIMIT];

COUNTED void fill_sieve(void)
{
    composite[0] = composite[1] = 1;
    for (int n = 2; n * n < LIMIT; n++)
        for (int multiple = n * n; multiple < LIMIT; multiple += n)
            composite[multiple] = 1;
}

COUNTED int by_sieve(int n)
{
    if (!composite[0])
        fill_sieve();
    return !composite[n];
}

COUNTED int count_primes(int (*is_prime)(int))
{
    int count = 0;

    for (int n = 0; n < LIMIT; n++)
        count += is_prime(n);
    return count;
}

int main(void)
{
    int all = count_primes(by_trial_of_all);
    int root = count_primes(by_trial_up_to_root);
    int sieve = count_primes(by_sieve);

    printf("%d primes below %d\n", sieve, LIMIT);
    return !(all == sieve && root == sieve);
}
