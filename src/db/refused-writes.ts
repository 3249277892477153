/**
 * Failures that lie in the statement or its values: a broken constraint or guard, SQL that cannot be run, too many
 * parameters. Any other failure of a write is the database's own: a full disk, a quota, a size, a lost connection.
 */
const faultOfStatement =
  /SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG|MISUSE|AUTH)|D1_TYPE_ERROR|number of parameter bindings/

/** A full disk or one that cannot be written, and quotas, in the words of storage in Durable Objects. */
const faultOfStorage =
  /SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|exceeded (?:allowed|maximum|\w+ limit)|limit exceeded/i

/** Whether an object failed because its storage takes no writes, and for no passing reason. */
export function isRefusedStorage(failure: unknown): boolean {
  return faultOfStorage.test(failure instanceof Error ? failure.message : String(failure))
}

/** Whether a write failed for a reason that any other write would meet as well. */
export function isRefusedWrite(failure: unknown): boolean {
  return !faultOfStatement.test(failure instanceof Error ? failure.message : String(failure))
}
