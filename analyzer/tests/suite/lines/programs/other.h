/* A function with branches on one line. */ static int other(int n) {
  switch (n) { case 0: return 5; case 1: return 7; case 2: sink++; return 1;
  default: break; }
  return n * sink;
}
