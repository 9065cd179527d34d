/* Networks of Scholar in other programs: reads what `scholar net export NETWORK -o FILE.bin` writes of a
 * perspective network, and works positions out as Scholar does, to the last unit. C99, nothing else.
 * docs/exporting.md has the layout of the file. Part of Scholar, GPL-3.0-or-later. */

#ifndef SCHOLAR_NET_H
#define SCHOLAR_NET_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ScholarNet ScholarNet;

/* NULL, and in *why what is wrong with the file, if it is no such network. */
ScholarNet* scholar_net_load(const char* path, const char** why);
void scholar_net_free(ScholarNet* net);

/* The score for the side to move: 400 times the logit of the result that it may expect. `board`: what stands
 * on a1, b1, ... h8, "PNBRQK" for White, "pnbrqk" for Black, anything else for nothing. Each side needs one
 * king. `black`: Black is to move. */
int scholar_net_evaluate(const ScholarNet* net, const char board[64], int black);

#ifdef __cplusplus
}
#endif

#endif
