/** Variables that set-up collects, for those that the environment leaves out. */
export const chosenVariables = ['ORIGIN', 'PLAN', 'MAIL_FROM'] as const
export type ChosenVariables = Readonly<Partial<Record<(typeof chosenVariables)[number], string>>>

/** Steps of set-up that are done once their form was sent; those of database and domain show by what they made. */
export type NotedStep = 'server' | 'services' | 'secrets' | 'checks'

/** Distance of the database from this version. Counts are statements, both 0 before they are known. */
export interface MigrationState {
  readonly state: 'waiting' | 'running' | 'failed' | 'done'
  readonly done: number
  readonly total: number
}

/** Set-up as far as it came. Nothing in it is secret. */
export interface SetUpState {
  /** The secrets are encrypted under another set-up secret than the present one. */
  readonly isLocked: boolean
  readonly migration: MigrationState
  /** Choices, and variables of the environment, which count more. */
  readonly chosen: ChosenVariables
  readonly done: readonly NotedStep[]
  /** Whether the browser that asks is the one that sets the server up. */
  readonly isHolder: boolean
  /** Wrong set-up secrets that were entered. */
  readonly wrongSecrets: number
  /** Name by which a browser recognizes this server at another address; no secret. */
  readonly serverId: string
}

/** Store of a server that was set up in the browser: its secret, and the progress of set-up. */
export interface Installation {
  /** `holder` is the hash of the secret of a browser; null for one that has none. */
  state(holder: string | null, now: Date): Promise<SetUpState>
  countWrongSecret(): Promise<void>
  /**
   * Makes a browser the one that sets the server up. Null when it is; else the time when another one was last active, which
   * `takesOver` ends.
   */
  hold(holder: string, now: Date, takesOver: boolean): Promise<Date | null>
  /** Starts bringing the database to this version, unless that is under way. */
  startMigration(): Promise<void>
  /** Keeps chosen variables, of which an empty one is left out, and that a step is done. False, and nothing, for a browser that does not hold set-up. */
  choose(holder: string, variables: ChosenVariables, done?: NotedStep): Promise<boolean>
  /** The instance secret; null for a browser that does not hold set-up, and once it was stored. */
  secretForFile(holder: string): Promise<string | null>
  /** Encrypts the secret under the present set-up secret; `proof` is the former one, or the instance secret itself. */
  sealAgain(proof: string): Promise<boolean>
  /** Ends set-up for ever: the owner exists. */
  complete(): Promise<void>
}
