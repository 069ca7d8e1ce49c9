/* A workload for SQLite: rows created, indexed, grouped, joined, sorted, changed and deleted in
   memory. Argument: the number of rows. The same rows and statements in every run. */
#include <stdio.h>
#include <stdlib.h>
#include "sqlite3.h"

static sqlite3 *database;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static int print_row(void *unused, int columns, char **values, char **names)
{
    (void)unused, (void)names;
    for (int i = 0; i < columns; i++)
        printf("%s%c", values[i] ? values[i] : "NULL", i + 1 < columns ? '|' : '\n');
    return 0;
}

static void execute(const char *sql)
{
    if (sqlite3_exec(database, sql, print_row, 0, 0) != SQLITE_OK)
        fail(sql);
}

static void insert_sales(int rows)
{
    const char *sql = "INSERT INTO sale(product, quantity, buyer) VALUES (?, ?, ?)";
    sqlite3_stmt *statement;
    unsigned random = 1;
    char buyer[24];

    if (sqlite3_prepare_v2(database, sql, -1, &statement, 0) != SQLITE_OK)
        fail(sql);
    for (int i = 0; i < rows; i++) {
        random = random * 1103515245 + 12345;
        snprintf(buyer, sizeof buyer, "buyer %u", random >> 20);
        sqlite3_bind_int(statement, 1, (int)(random >> 8) % 1000);
        sqlite3_bind_double(statement, 2, (random >> 12) % 100 / 4.0);
        sqlite3_bind_text(statement, 3, buyer, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(statement) != SQLITE_DONE)
            fail(sql);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 1000;

    if (sqlite3_open(":memory:", &database) != SQLITE_OK)
        fail("open");
    execute("CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, price REAL)");
    execute("CREATE TABLE sale(id INTEGER PRIMARY KEY, product INT, quantity REAL, buyer TEXT)");
    execute("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
            " INSERT INTO product SELECT i, 'product ' || i, (i * 37 % 101) / 4.0 FROM n");
    execute("BEGIN");
    insert_sales(rows);
    execute("COMMIT");
    execute("CREATE INDEX sale_product ON sale(product)");
    execute("CREATE INDEX sale_buyer ON sale(buyer, quantity)");
    execute("SELECT count(*), count(DISTINCT buyer), round(sum(quantity), 2) FROM sale");
    execute("SELECT buyer, count(*) AS n FROM sale GROUP BY buyer ORDER BY n DESC, buyer LIMIT 3");
    execute("SELECT name, round(sum(quantity * price), 2) AS total FROM sale JOIN product"
            " ON product.id = sale.product GROUP BY name ORDER BY total DESC, name LIMIT 3");
    execute("SELECT count(*) FROM sale WHERE buyer LIKE '%7%' AND product BETWEEN 100 AND 500");
    execute("SELECT upper(substr(buyer, 7)) FROM sale ORDER BY quantity * 7 % 13, id LIMIT 3");
    execute("UPDATE sale SET quantity = quantity + 1 WHERE product % 10 = 3");
    execute("DELETE FROM sale WHERE id % 7 = 0");
    execute("SELECT count(*), round(sum(quantity), 2) FROM sale");
    return sqlite3_close(database) == SQLITE_OK ? 0 : 1;
}
