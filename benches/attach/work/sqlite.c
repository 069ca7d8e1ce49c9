/* SQLite joins, sorts and changes rows of a table in memory. */
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

static sqlite3 *database;

static void execute(const char *sql)
{
    if (sqlite3_exec(database, sql, 0, 0, 0) == SQLITE_OK)
        return;
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
    exit(1);
}

void work(void)
{
    if (!database) {
        if (sqlite3_open(":memory:", &database) != SQLITE_OK)
            exit(1);
        execute("CREATE TABLE sale(id INTEGER PRIMARY KEY, product INT, buyer TEXT)");
        execute("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3999)"
                " INSERT INTO sale SELECT i, i * 7919 % 200, 'buyer ' || (i * 104729 % 977) FROM n");
        execute("CREATE INDEX by_product ON sale(product)");
    }
    execute("SELECT buyer, count(*), sum(product) FROM sale WHERE id % 4 = 1 GROUP BY buyer ORDER BY 2 DESC, 1");
    execute("SELECT a.buyer FROM sale a JOIN sale b ON a.product = b.product WHERE a.id < 80 AND b.buyer LIKE '%7'");
    execute("UPDATE sale SET buyer = upper(buyer) WHERE product = 17");
}
