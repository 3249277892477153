/** Messages that wait in the queue of jobs. */
export interface JobBacklog {
  readonly count: number
  readonly oldestAt: Date | null
}
