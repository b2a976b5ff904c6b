// A peer for bench/scan.go: the products of q query vectors and n rows by
// OpenBLAS, one thread. It is compiled and run by the harness, never linked in.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

void openblas_set_num_threads(int);

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
	if (argc != 5) {
		fprintf(stderr, "usage: sgemm n d q repeats\n");
		return 2;
	}
	long n = atol(argv[1]), d = atol(argv[2]), q = atol(argv[3]), repeats = atol(argv[4]);
	size_t size = (size_t)n * d * sizeof(float);
	float *rows = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	float *queries = malloc(q * d * sizeof(float)), *out = malloc(n * q * sizeof(float));
	if (rows == MAP_FAILED || !queries || !out)
		return 1;
	madvise(rows, size, MADV_HUGEPAGE);
	unsigned state = 1;
	for (size_t i = 0; i < (size_t)n * d; i++)
		rows[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
	for (long i = 0; i < q * d; i++)
		queries[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
	openblas_set_num_threads(1);
	for (long r = 0; r <= repeats; r++) {
		double start = now();
		cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, q, d, 1, rows, d, queries, d, 0, out, q);
		if (r > 0) // the first touches the memory
			printf("%.3f\n", now() - start);
	}
	return 0;
}
