/* Scores of the positions of a file, a FEN or EPD a line:
 *
 *   scholar net export '<embedded>' -o scholar.bin
 *   cc -O2 examples/c/evaluate.c examples/c/scholar_net.c -o evaluate
 *   ./evaluate scholar.bin positions.fen
 */

#include <stdio.h>
#include <string.h>

#include "scholar_net.h"

/* The first two fields; 0 if they are no position. */
static int read_fen(const char* fen, char board[64], int* black) {
    memset(board, 0, 64);
    for (int rank = 7; rank >= 0; --rank, ++fen) {
        for (int file = 0; file < 8; ++fen) {
            if (*fen >= '1' && *fen <= '8' - file)
                file += *fen - '0';
            else if (*fen && strchr("PNBRQKpnbrqk", *fen))
                board[8 * rank + file++] = *fen;
            else
                return 0;
        }
        if (*fen != (rank > 0 ? '/' : ' ')) return 0;
    }
    *black = *fen == 'b';
    return (*fen == 'w' || *fen == 'b') && memchr(board, 'K', 64) && memchr(board, 'k', 64);
}

int main(int count, char** words) {
    const char* why = "";
    char fen[1024], board[64];
    int black, line = 0, good = 1;
    if (count != 3) return fprintf(stderr, "expected a network and a file of positions\n"), 2;
    ScholarNet* net = scholar_net_load(words[1], &why);
    if (!net) return fprintf(stderr, "%s %s\n", words[1], why), 1;
    FILE* positions = fopen(words[2], "r");
    if (!positions) fprintf(stderr, "%s cannot be read\n", words[2]);
    while (good && positions && fgets(fen, sizeof fen, positions)) {
        ++line;
        good = (strchr(fen, '\n') || feof(positions)) && read_fen(fen, board, &black);
        if (good)
            printf("%d\n", scholar_net_evaluate(net, board, black));
        else
            fprintf(stderr, "%s: line %d is no FEN\n", words[2], line);
    }
    good = good && positions;
    if (positions) fclose(positions);
    scholar_net_free(net);
    return good ? 0 : 1;
}
