/* bin/scholar of the archive for other Linuxes (tools/archive.sh), linked statically: has the C library beside it load the program. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *below(const char *folder, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) exit(1);
    return path;
}

int main(int argc, char **argv) {
    char self[PATH_MAX], folder[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        perror("scholar: /proc/self/exe");
        return 1;
    }
    self[length] = '\0';
    strcpy(folder, self);
    *strrchr(folder, '/') = '\0';
    char *const libraries = below(folder, "../lib/scholar");
    char *const loader = below(libraries, "ld-linux-x86-64.so.2");

    /* The program learns by the name it is called by what starts it again (src/base/program.hpp). */
    char *const before[] = {loader, "--library-path", libraries, "--argv0", self, below(libraries, "scholar")};
    const size_t count = sizeof before / sizeof *before;
    char **const all = calloc(count + (size_t)argc + 1, sizeof *all);
    if (all == NULL) return 1;
    memcpy(all, before, sizeof before);
    for (int i = 1; i < argc; ++i) all[count + (size_t)i - 1] = argv[i];
    execv(loader, all);
    perror(loader);
    return 1;
}
