/* What the pictures of docs/report.md show: a shop that keeps its orders in SQLite, and asks for some sums. */

#include "sqlite3.h"

#include <stdio.h>
#include <stdlib.h>

static void run(sqlite3 *database, const char *statements)
{
    char *error = 0;
    if (sqlite3_exec(database, statements, 0, 0, &error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
}

static void fill(sqlite3 *database, int orders)
{
    sqlite3_stmt *insert;
    run(database, "BEGIN");
    sqlite3_prepare_v2(database, "INSERT INTO orders VALUES (?, ?, ?, ?)", -1, &insert, 0);
    for (int i = 0; i < orders; i++) {
        char name[32];
        snprintf(name, sizeof name, "customer %d", (i * 7919) % 5003);
        sqlite3_bind_int(insert, 1, i);
        sqlite3_bind_text(insert, 2, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_double(insert, 3, (i * 31 % 997) / 10.0);
        sqlite3_bind_int(insert, 4, i % 365);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(database, "COMMIT");
}

static void ask(sqlite3 *database)
{
    run(database, "SELECT customer, sum(price) FROM orders GROUP BY customer ORDER BY 2 DESC LIMIT 10");
    run(database, "SELECT count(*) FROM orders a JOIN orders b ON a.id = b.day WHERE a.customer LIKE '%9%'");
    run(database, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
                  "SELECT sum(i * i % 7) FROM n");
    run(database, "UPDATE orders SET price = price * 1.01 WHERE day % 7 = 3");
}

int main(void)
{
    sqlite3 *database;
    sqlite3_open(":memory:", &database);
    run(database, "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, price REAL, day INT)");
    fill(database, 120000);
    run(database, "CREATE INDEX by_day ON orders (day, customer)");
    for (int i = 0; i < 50; i++)
        ask(database);
    sqlite3_close(database);
    return 0;
}
