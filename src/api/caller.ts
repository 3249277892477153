import type { Moderator, StaffMember, Viewer } from '../domain/core/viewer'
import { hasPermission, operator, type Permission } from '../domain/policy/permissions'
import { type Caller, type DeadToken, mayPost, type Person, type TokenCaller } from '../domain/sessions/find'
import { grants, type Scope } from '../domain/sessions/scopes'
import { Forbidden, Invalid, Unauthorized } from '../errors'

export type AuthKind = 'anyone' | 'token' | 'app' | 'user' | 'staff'

/** Access rule of an endpoint. `authorizeCaller` returns the viewer or throws the refusal the API documents. */
export interface Auth<V> {
  readonly kind: AuthKind
  /** Null: any token is accepted. */
  readonly scope: Scope | null
  /** Exposes accounts and statuses: closed to anonymous callers where the operator requires sign-in. */
  readonly returnsData: boolean
  /** A scope outside the tree above `scope` that also opens the endpoint. */
  readonly alternative?: Scope
  /** The permission that a staff endpoint needs. */
  readonly permission?: Permission
  /** The viewer that the set-up token stands for; absent where it opens nothing. */
  readonly operator?: V
  /** `ip`: client address of the request. */
  admit(caller: Caller | null, ip: string): V
}

/**
 * Public access. A token is optional. A known one must be valid, with `scope` where one is named; an unknown one counts as
 * none, as in Mastodon. Unconfirmed and unapproved users count as anonymous: such an account can be opened freely, so
 * member-only data is not for them.
 */
export function anyone(scope: Scope | null = null, returnsData = scope !== null): Auth<Viewer | null> {
  return {
    kind: 'anyone',
    scope,
    returnsData,
    admit(caller) {
      if (caller === null) return null
      requireScope(caller, scope)
      if (caller.person === null) return null
      assertNotBarred(caller.person)
      return mayPost(caller.person) ? caller.person.viewer : null
    },
  }
}

/** Any token, of an application or of a user. */
export function token(scope: Scope | null = null): Auth<Viewer | null> {
  return {
    kind: 'token',
    scope,
    returnsData: true,
    admit(caller) {
      const holder = requireToken(caller)
      requireScope(holder, scope)
      return holder.person?.viewer ?? null
    },
  }
}

/** An application acting for itself (client credentials). */
export function app(scope: Scope | null = null): Auth<null> {
  return {
    kind: 'app',
    scope,
    returnsData: true,
    admit(caller) {
      const holder = requireCaller(caller)
      if (holder.person !== null) throw new Forbidden('client_token_required')
      requireScope(holder, scope)
      return null
    },
  }
}

/** A user in good standing. */
export function user(scope: Scope | null, alternative?: Scope): Auth<Viewer> {
  return {
    kind: 'user',
    scope,
    returnsData: true,
    ...(alternative === undefined ? {} : { alternative }),
    admit(caller) {
      const holder = requireCaller(caller)
      if (alternative === undefined || !grants(holder.scopes, alternative)) requireScope(holder, scope)
      return activeViewer(requirePerson(holder))
    },
  }
}

/**
 * A user in good standing, with any token. Without a user Mastodon answers 422 where it otherwise answers 401 for the
 * missing token, because the methods declared so ask for no scope.
 */
export function activeUser(): Auth<Viewer> {
  return {
    kind: 'user',
    scope: null,
    returnsData: true,
    admit(caller) {
      if (caller === null) throw new Invalid('person_required')
      return activeViewer(requirePerson(caller))
    },
  }
}

/** A user who may still have to confirm an address or wait for approval. */
export function pendingUser(scope: Scope | null): Auth<Viewer> {
  return {
    kind: 'user',
    scope,
    returnsData: true,
    admit(caller) {
      const holder = requireCaller(caller)
      requireScope(holder, scope)
      const person = requirePerson(holder)
      assertNotBarred(person)
      return person.viewer
    },
  }
}

/**
 * A user whose role has the permission. Without a token Mastodon answers 403 here, as without the permission; a
 * missing scope is named first.
 */
export function staffMember(scope: Scope, permission: Permission): Auth<StaffMember> {
  return {
    kind: 'staff',
    scope,
    returnsData: true,
    permission,
    admit(caller, ip) {
      if (caller === null) throw new Forbidden()
      requireScope(caller, scope)
      const person = requirePerson(caller)
      const viewer = activeViewer(person)
      if (!hasPermission(viewer.permissions, permission)) throw new Forbidden()
      const { id: accountId, username, permissions } = viewer
      return { accountId, username, permissions, position: person.rolePosition, ip }
    },
  }
}

/** As `staffMember`, and the operator by the set-up token, who has no account. */
export function staff(scope: Scope, permission: Permission): Auth<Moderator> {
  return { ...staffMember(scope, permission), operator }
}

/** Whether a dead token counts as none. A revoked one is refused everywhere, so that its app signs in again. */
export function countsAsAnonymous({ kind }: Pick<Auth<unknown>, 'kind'>, dead: DeadToken): boolean {
  return kind === 'anyone' && dead === 'unknown'
}

/** The holder of a token; `Forbidden` for the session of a browser. */
export function requireToken(caller: Caller | null): TokenCaller {
  const holder = requireCaller(caller)
  if (holder.kind !== 'token') throw new Forbidden('token_required')
  return holder
}

/** The caller; `Unauthorized` without a credential. */
export function requireCaller(caller: Caller | null): Caller {
  if (caller === null) throw new Unauthorized('token_required')
  return caller
}

function requireScope(caller: Caller, scope: Scope | null): void {
  if (scope === null || grants(caller.scopes, scope)) return
  throw new Forbidden('outside_scopes')
}

function requirePerson(caller: Caller): Person {
  if (caller.person === null) throw new Invalid('person_required')
  return caller.person
}

/** The user as a viewer; refuses suspended, disabled, unconfirmed and unapproved users, and those without a required second factor. */
export function activeViewer(person: Person): Viewer {
  assertNotBarred(person)
  if (!person.confirmed) throw new Forbidden('unconfirmed')
  if (!person.approved) throw new Forbidden('pending_approval')
  return person.viewer
}

/**
 * Whether the caller is a user in good standing. Other callers must not trigger remote fetches: anonymous ones,
 * applications, and unconfirmed or unapproved users, whose accounts are cheap to create.
 */
export function mayTriggerFetches(caller: Caller | null): boolean {
  return caller?.person != null && mayPost(caller.person)
}

function assertNotBarred(person: Person): void {
  if (person.suspended || person.disabled) throw new Forbidden('disabled')
  if (person.lacksSecondFactor) throw new Forbidden('two_factor_missing')
}
