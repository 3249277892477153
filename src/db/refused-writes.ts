/**
 * Failures that lie in the statement or its values: a broken constraint or guard, SQL that cannot be run, too many
 * parameters. Any other failure of a write is the database's own: a full disk, a quota, a size, a lost connection.
 */
const faultOfStatement =
  /SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG|MISUSE|AUTH)|D1_TYPE_ERROR|number of parameter bindings/

/** Whether a write failed for a reason that any other write would meet as well. */
export function isRefusedWrite(failure: unknown): boolean {
  return !faultOfStatement.test(failure instanceof Error ? failure.message : String(failure))
}
