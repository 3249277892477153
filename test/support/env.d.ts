declare namespace Cloudflare {
  interface Env {
    readonly TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** Of one file alone: see `crowded.ts`. */
    readonly CROWDED: D1Database
    /** For tests that need thousands of rows, which no other test should meet. */
    readonly APART: D1Database
    /** Number of statuses of the generated instance; of the bench at scale alone. */
    readonly SCALE: string
    /** `yes` gives the query planner statistics; of the bench at scale alone. */
    readonly STATISTICS: string
  }
}
