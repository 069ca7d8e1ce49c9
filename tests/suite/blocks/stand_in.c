/* Hooks that do nothing, as of a library that comes after the preloaded one. */
void __sanitizer_cov_trace_pc(void)
{
}

void __sanitizer_cov_trace_pc_guard(void)
{
}

void __sanitizer_cov_trace_pc_guard_init(void)
{
}

void __sanitizer_cov_pcs_init(void)
{
}
