import type { AccountId } from './ids'

/** Objects that answer requests with files, one for each account: reading and checking files takes much computing. */
export interface Uploads {
  /** Answers a request whose sender is found, admitted and counted, and whose body is unread. `Unavailable` where it breaks off. */
  answer(accountId: AccountId, request: Request): Promise<Response>
}
