import type { AccountId, StatusId } from '../lib/ids'
import type { HttpRequest, HttpResponse } from '../lib/outgoing'
import type { FederatedEvent } from '../messages/events'
import type { RefetchHint } from '../messages/jobs'

/**
 * Outgoing requests. Refuses (`Unreachable`) addresses that are not public https, at every redirect; throws the same
 * for time-outs and broken connections.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>
  /** Number of requests sent so far for this request, message or tick. */
  sent(): number
}

/** Status or account behind a web address. */
export type ResolvedAddress =
  | { readonly kind: 'status'; readonly id: StatusId }
  | { readonly kind: 'account'; readonly id: AccountId }

/** Interaction of a user of another server with an account or status of this one. */
export interface RemoteInteraction {
  readonly interaction: 'follow' | 'reply' | 'reblog' | 'favourite'
  /** Identifies the account or status for other servers. */
  readonly uri: string
}

/** Page of another server where its user interacts with something of this one. */
export type InteractionPage =
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'missing' | 'unreachable' }

/** Lookup of handles, each in an invocation of its own. */
export interface Discovery {
  find(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null>
}

/** Resolves remote objects by address; null for missing, unreachable or refused ones. */
export interface Resolver {
  /** Resolves a handle to an account, by WebFinger where it is unknown or stale. */
  accountByHandle(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null>
  /** Looks up the page of a user's own server for an interaction, by WebFinger; `username` may be unknown. */
  interactionPage(
    server: { readonly username: string | null; readonly domain: string },
    wanted: RemoteInteraction,
  ): Promise<InteractionPage>
  /** Resolves unknown handles concurrently; those beyond the time limit finish later. True when any was found. */
  resolveHandles(
    handles: readonly { readonly username: string; readonly domain: string }[],
    timeoutMilliseconds: number,
  ): Promise<boolean>
  /** Resolves an actor id or page address to an account; with `fresh`, refetched even where known. */
  accountByUri(uri: string, options?: { readonly fresh: boolean }): Promise<AccountId | null>
  /** Resolves an address typed by a user to a status or account: one fetch, and the document's type decides. */
  resolveAddress(address: string): Promise<ResolvedAddress | null>
  /** Resolves an id or page address to a status that is public or was addressed to a local account. */
  statusByUri(uri: string): Promise<StatusId | null>
  /** Resolves the id of a status that a relay passed on: one that is public. */
  relayedStatus(uri: string): Promise<StatusId | null>
  /** Fetches and stores a collection of accounts; returns whether `owner` is its author. */
  fetchCollection(owner: AccountId, uri: string): Promise<boolean>
  /** Verifies the quoted author's consent, and stores the result. */
  verifyQuote(id: StatusId): Promise<void>
  /** Refetches an object: stores what is new or changed, and removes a deleted one. */
  refetch(uri: string, hint?: RefetchHint): Promise<void>
  /** Tries each step of federation with a server, and explains how it went. */
  checkServer(domain: string): Promise<readonly CheckedStep[]>
  /** Fetches all ids of a remote unpaged collection; null where it cannot be fetched whole. */
  fetchWholeCollection(url: string): Promise<readonly string[] | null>
}

/** Inboxes of one part of an audience, with what followers-only activities add for each host. */
export interface AudiencePart {
  readonly inboxes: readonly string[]
  /** Digests of the sender's followers by host (FEP-8fcf); null for activities that are for others too. */
  readonly digests: Readonly<Record<string, string>> | null
}

/** Federates a committed event. `eventId` makes repetition harmless. */
export interface Federation {
  /** Large audiences become jobs, one for each part: these federate to it alone, or to the inboxes behind `after`. */
  federate(
    event: FederatedEvent,
    eventId: number,
    scope?: AudiencePart | { readonly after: string },
  ): Promise<void>
}

/** An activity for inboxes on one server. */
export interface QueuedDelivery {
  /** Identifies the delivery, together with an inbox. */
  readonly id: string
  /** Position: per inbox, deliveries arrive in ascending order. */
  readonly order: number
  readonly inboxes: readonly string[]
  /** Owner of the signing key. */
  readonly senderId: AccountId
  readonly keyId: string
  readonly body: string
  /** Collection-Synchronization header: the server's followers of the sender (FEP-8fcf). */
  readonly synchronization?: string | null
}

/** Queues of deliveries to remote servers, with retries. */
export interface Couriers {
  /**
   * Enqueues deliveries for the server at `host`, the host of the inboxes. Known ones are not sent again. With
   * `signing`, the first attempt does without the database.
   */
  enqueue(host: string, deliveries: readonly QueuedDelivery[], signing?: SigningFacts | null): Promise<void>
  /** Retries pending deliveries now, after contact from the server at `host`. */
  wake(host: string): Promise<void>
}

/** Couriers in the hands of operators. */
export interface CourierControl {
  /** State of the courier for `host`; null where it never had deliveries, or forgot them. */
  state(host: string): Promise<CourierState | null>
  /** Retries all pending deliveries now, also to inboxes that count as gone. Returns their number. */
  retry(host: string): Promise<number>
  /** Gives up all pending deliveries. Returns their number. */
  drop(host: string): Promise<number>
}

/** Replies at the first level: number of new ones, and addresses of those left to another run. */
export interface FetchedReplies {
  readonly stored: number
  readonly rest: readonly string[]
}

/** Rest of a backfill, which another run continues with. */
export interface BackfillPart {
  /** Statuses to be imported, in this order. */
  readonly posts: readonly { readonly uri: string; readonly isPinned: boolean }[]
  /** Number of statuses as the server of the account reports it. */
  readonly total: number | null
  /** Number of followers whose feeds are filled. */
  readonly fed: number
}

/** Fetching of related remote statuses. Each call sends a bounded number of requests. */
export interface Backfill {
  /** Fetches the parent of a status; `levels` limits the further ancestors. */
  fetchParent(id: StatusId, levels: number): Promise<void>
  /**
   * Fetches replies to a status, `levels` deep, as many as one invocation has statements for: of those that its server
   * lists, or of the `rest` of an earlier run.
   */
  fetchReplies(id: StatusId, levels: number, rest?: readonly string[]): Promise<FetchedReplies>
  /** Fetches the latest and pinned statuses of an account; returns what is left to another run. */
  backfillAccount(id: AccountId, part?: BackfillPart): Promise<BackfillPart | null>
}

/** Sealed private keys of a local account. */
export interface SigningKeys {
  readonly accountId: AccountId
  readonly privateKey: string
  /** Previous key, while other servers may not have received the change. */
  readonly previousPrivateKey: string | null
}

/** Keys of senders as the database had them at `readAt` (milliseconds), when their host was not suspended. */
export interface SigningFacts {
  readonly keys: readonly SigningKeys[]
  readonly readAt: number
}

/** Deliveries to one remote server, as operators see them. */
export interface CourierState {
  readonly pending: number
  /** Time of the oldest pending delivery. */
  readonly oldestAt: Date | null
  readonly nextAt: Date | null
  /** Consecutive deliveries that failed because of the server, and the first of them. */
  readonly failures: number
  readonly failingSince: Date | null
  readonly lastSuccessAt: Date | null
  /** Class of the last failure of a delivery, such as `http 503`; null without one since the last success. */
  readonly lastError: string | null
  /** Given up after a week of failures. */
  readonly unreachable: boolean
}

/** A step of federation with a remote server, as it was tried. */
export interface CheckedStep {
  readonly step: 'limits' | 'software' | 'webfinger' | 'signature' | 'delivery'
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Sentence for operators. */
  readonly explanation: string
}
