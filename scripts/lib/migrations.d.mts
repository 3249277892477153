export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

/** The statements of an SQL text. */
export function splitStatements(text: string): readonly string[]

/** The migrations of a folder in their order. */
export function readMigrations(folder: string): readonly Migration[]

/** Writes those of the repository at `root` into its public/migrations.json. */
export function writeMigrations(root: string): void
