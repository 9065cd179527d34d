/* Scores of positions, a FEN a line from standard input:
 *
 *   scholar net export '<embedded>' -o scholar.bin
 *   cc -O2 examples/c/evaluate.c examples/c/scholar_net.c -o evaluate
 *   ./evaluate scholar.bin < positions.fen
 */

#include <stdio.h>
#include <string.h>

#include "scholar_net.h"

/* The first two fields; 0 if they are no position. */
static int read_fen(const char* fen, char board[64], int* black) {
    int square = 56;
    memset(board, 0, 64);
    for (; *fen && *fen != ' '; ++fen) {
        if (*fen == '/')
            square -= 16;
        else if (*fen >= '1' && *fen <= '8')
            square += *fen - '0';
        else if (square < 0 || square > 63)
            return 0;
        else
            board[square++] = *fen;
    }
    *black = fen[0] == ' ' && fen[1] == 'b';
    return memchr(board, 'K', 64) && memchr(board, 'k', 64);
}

int main(int count, char** words) {
    const char* why = "";
    char fen[256], board[64];
    int black, line = 0;
    ScholarNet* net = count == 2 ? scholar_net_load(words[1], &why) : NULL;
    if (!net) {
        fprintf(stderr, count == 2 ? "%s %s\n" : "%s: expected a network%s\n", words[count == 2], why);
        return 1;
    }
    while (fgets(fen, sizeof fen, stdin)) {
        ++line;
        if (!read_fen(fen, board, &black)) {
            fprintf(stderr, "line %d is no FEN\n", line);
            scholar_net_free(net);
            return 1;
        }
        printf("%d\n", scholar_net_evaluate(net, board, black));
    }
    scholar_net_free(net);
    return 0;
}
