#include "scholar_net.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 12, SQUARES = 64, MAX_WIDTH = 4096, MAX_LAYERS = 4, HEADER = 192, VIEWS = 96 };
enum { CLIPPED, SQUARED, PAIRED };

struct ScholarNet {
    uint8_t* bytes;
    int width, king_buckets, activation, output_buckets, layers, units[MAX_LAYERS], shift[MAX_LAYERS];
    int clip, product_shift, hidden_clip, output_shift, output_unit, scale, bound, states;
    const uint8_t *view, *rows, *bias, *weight[MAX_LAYERS + 1], *layer_bias[MAX_LAYERS + 1];
};

/* Numbers are little-endian, whatever the machine is. */
static int16_t at16(const uint8_t* array, size_t i) {
    return (int16_t)(array[2 * i] | array[2 * i + 1] << 8);
}
static int32_t at32(const uint8_t* array, size_t i) {
    return (int32_t)((uint32_t)(uint16_t)at16(array, 2 * i) | (uint32_t)(uint16_t)at16(array, 2 * i + 1)
                                                                  << 16);
}
/* Each array begins at a multiple of 64 bytes. One that the file is too short for leaves `end` beyond its
 * size. */
static const uint8_t* next(const ScholarNet* net, size_t size, size_t* end, size_t bytes) {
    const size_t begin = (*end + 63) / 64 * 64;
    const int fits = begin <= size && bytes <= size - begin;
    *end = fits ? begin + bytes : size + 1;
    return fits ? net->bytes + begin : NULL;
}
static int outputs(const ScholarNet* net) { /* numbers that each side gives to the head */
    return net->activation == PAIRED ? net->width / 2 : net->width;
}
static int inputs_of(const ScholarNet* net, int layer) {
    return layer == 0 ? 2 * outputs(net) : net->units[layer - 1];
}

static uint8_t* read_all(const char* path, size_t* size) {
    uint8_t* bytes = NULL;
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    *size = 0;
    for (size_t got = 1, room = 0; got > 0; *size += got) {
        if (*size == room) {
            uint8_t* more = realloc(bytes, room = 2 * room + 65536);
            if (!more) {
                free(bytes);
                fclose(file);
                return NULL;
            }
            bytes = more;
        }
        got = fread(bytes + *size, 1, room - *size, file);
    }
    if (ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

ScholarNet* scholar_net_load(const char* path, const char** why) {
    size_t size = 0, end = HEADER;
    *why = "cannot be read";
    ScholarNet* net = calloc(1, sizeof *net);
    if (!net) return NULL;
    int* const field[] = {&net->width,        &net->king_buckets, &net->activation,    &net->output_buckets,
                          &net->layers,       net->units,         net->units + 1,      net->units + 2,
                          net->units + 3,     net->shift,         net->shift + 1,      net->shift + 2,
                          net->shift + 3,     &net->clip,         &net->product_shift, &net->hidden_clip,
                          &net->output_shift, &net->output_unit,  &net->scale,         &net->bound,
                          &net->states};
    net->bytes = read_all(path, &size);
    if (!net->bytes) return scholar_net_free(net), NULL;
    *why = "is no network that scholar net export wrote";
    if (size < HEADER || memcmp(net->bytes, "SCHLRNET", 8) != 0) return scholar_net_free(net), NULL;
    *why = "is of a version that this reader does not know";
    const int version = at32(net->bytes + 8, 0); /* 2: a man's row says whether it is attacked and defended */
    if (version != 1 && version != 2) return scholar_net_free(net), NULL;
    for (size_t i = 0; i < sizeof field / sizeof *field; ++i) *field[i] = at32(net->bytes + 12, i);
    *why = "is damaged";
    if (net->states != (version == 1 ? 0 : 4)) return scholar_net_free(net), NULL;
    if (version == 1) net->states = 1;
    if (net->width < 1 || net->width > MAX_WIDTH || net->king_buckets < 1 || net->king_buckets > 64 ||
        net->layers < 0 || net->layers > MAX_LAYERS || net->output_buckets < 1 || net->output_buckets > 32 ||
        net->output_unit < 1 || (unsigned)net->activation > PAIRED || (unsigned)net->clip > 32767 ||
        (unsigned)net->product_shift > 15 || (unsigned)net->hidden_clip > 32767 ||
        (unsigned)net->output_shift > 15 || (unsigned)net->scale > 1000 || net->bound < 0 ||
        (net->clip * net->clip) >> net->product_shift > 32767)
        return scholar_net_free(net), NULL;
    for (int i = 0; i < net->layers; ++i)
        if (net->units[i] < 1 || net->units[i] > 256 || (unsigned)net->shift[i] > 31)
            return scholar_net_free(net), NULL;
    net->view = net->bytes + VIEWS;
    for (int i = 0; i < SQUARES; ++i)
        if ((net->view[i] & 0x7F) >= net->king_buckets) return scholar_net_free(net), NULL;
    net->rows = next(net, size, &end,
                     (size_t)(net->king_buckets * net->states * MEN * SQUARES) * (size_t)net->width * 2);
    net->bias = next(net, size, &end, (size_t)net->width * 2);
    for (int i = 0; i <= net->layers; ++i) { /* the last is the output, a layer of one unit */
        const size_t units = (size_t)net->output_buckets * (size_t)(i < net->layers ? net->units[i] : 1);
        net->weight[i] = next(net, size, &end, units * (size_t)inputs_of(net, i) * 2);
        net->layer_bias[i] = next(net, size, &end, units * 4);
    }
    if (end > size) return scholar_net_free(net), NULL;
    return net;
}

void scholar_net_free(ScholarNet* net) {
    if (net) free(net->bytes);
    free(net);
}

static int clamp(int64_t value, int most) {
    return value < 0 ? 0 : value > most ? most : (int)value;
}

static const char LETTERS[] = "PNBRQKpnbrqk";

/* Marks the squares that the men of a side attack, those of their own men among them. */
static void attack(const char board[64], int black, char attacked[64]) {
    static const int step[16][2] = {{0, 1}, {0, -1}, {1, 0},  {-1, 0}, {1, 1},  {1, -1}, {-1, 1},  {-1, -1},
                                    {1, 2}, {2, 1},  {2, -1}, {1, -2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}};
    static const int first[] = {4, 8, 4, 0, 0, 0}, last[] = {8, 16, 8, 4, 8, 8}, reach[] = {1, 1, 7, 7, 7, 1};
    for (int from = 0; from < SQUARES; ++from) {
        const char* const found = board[from] ? strchr(LETTERS, board[from]) : NULL;
        if (!found || (found - LETTERS >= 6) != black) continue;
        const int kind = (int)(found - LETTERS) % 6;
        for (int way = first[kind]; way < last[kind]; ++way) {
            if (kind == 0 && step[way][1] != (black ? -1 : 1)) continue; /* pawns go one way */
            int file = from % 8, rank = from / 8;
            for (int n = 0; n < reach[kind]; ++n) {
                file += step[way][0], rank += step[way][1];
                if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
                attacked[8 * rank + file] = 1;
                if (board[8 * rank + file] && strchr(LETTERS, board[8 * rank + file])) break;
            }
        }
    }
}

/* What a side gives to the head. An engine keeps `sum` of each side from move to move, and adds and takes
 * away the rows of what changed; it begins anew when that side's king comes to a square of another view. */
static void look(const ScholarNet* net, const char board[64], char attacked[2][64], int black, int* out) {
    int sum[MAX_WIDTH], view = 0;
    const int turned = black ? 56 : 0; /* a side sees its own pieces move up the board */
    for (int square = 0; square < SQUARES; ++square)
        if (board[square] == (black ? 'k' : 'K')) view = net->view[square ^ turned];
    for (int i = 0; i < net->width; ++i) sum[i] = at16(net->bias, (size_t)i);
    for (int square = 0; square < SQUARES; ++square) {
        const char* const found = board[square] ? strchr(LETTERS, board[square]) : NULL;
        if (!found) continue;
        const int man = (int)(found - LETTERS + (black ? 6 : 0)) % MEN; /* own pawn to king, then theirs */
        const int is_black = found - LETTERS >= 6;
        const int state = 2 * attacked[!is_black][square] + attacked[is_black][square];
        const int seen = square ^ turned ^ (view & 0x80 ? 7 : 0);
        const size_t row = (size_t)((((view & 0x7F) * net->states + state) * MEN + man) * SQUARES + seen);
        for (int i = 0; i < net->width; ++i) sum[i] += at16(net->rows, row * (size_t)net->width + (size_t)i);
    }
    for (int i = 0; i < outputs(net); ++i) {
        const int one = clamp(sum[i], net->clip);
        const int other = clamp(sum[(i + outputs(net)) % net->width], net->clip); /* itself, unless paired */
        out[i] = net->activation == CLIPPED
                     ? one
                     : (one * other + (1 << net->product_shift >> 1)) >> net->product_shift;
    }
}

int scholar_net_evaluate(const ScholarNet* net, const char board[64], int black) {
    int in[2 * MAX_WIDTH], out[2 * MAX_WIDTH], men = 0;
    for (int square = 0; square < SQUARES; ++square) men += board[square] && strchr(LETTERS, board[square]);
    const int bucket = clamp(men - 1, 31) * net->output_buckets / 32;
    char attacked[2][64] = {{0}};
    if (net->states > 1) attack(board, 0, attacked[0]), attack(board, 1, attacked[1]);
    look(net, board, attacked, black, in);
    look(net, board, attacked, !black, in + outputs(net));
    for (int layer = 0;; ++layer) {
        const int inputs = inputs_of(net, layer), units = layer < net->layers ? net->units[layer] : 1;
        for (int unit = 0; unit < units; ++unit) {
            const size_t which = (size_t)(bucket * units + unit);
            int64_t sum = 0; /* 32 bits hold it in every network that Scholar makes */
            for (int i = 0; i < inputs; ++i)
                sum += (int64_t)in[i] * at16(net->weight[layer], which * (size_t)inputs + (size_t)i);
            if (layer == net->layers) {
                const int64_t whole = sum * (1 << net->output_shift) + at32(net->layer_bias[layer], which);
                const int64_t half = whole < 0 ? -(net->output_unit / 2) : net->output_unit / 2;
                const int64_t score = (whole * net->scale + half) / net->output_unit;
                return (int)(score < -net->bound ? -net->bound : score > net->bound ? net->bound : score);
            }
            out[unit] =
                clamp((sum + at32(net->layer_bias[layer], which)) >> net->shift[layer], net->hidden_clip);
        }
        memcpy(in, out, (size_t)units * sizeof *in);
    }
}
