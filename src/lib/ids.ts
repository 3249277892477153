declare const concept: unique symbol

/** An id of one concept. Plain numbers are accepted as parameters; ids of two concepts never mix. */
type IdOf<C extends string> = number & { readonly [concept]?: C }

export type AccountId = IdOf<'account'>
export type StatusId = IdOf<'status'>
export type MediaId = IdOf<'media'>
export type PollId = IdOf<'poll'>
export type ApplicationId = IdOf<'application'>
export type ScheduledId = IdOf<'scheduled status'>
export type TokenId = IdOf<'token'>
export type PushSubscriptionId = IdOf<'push subscription'>
export type NotificationId = IdOf<'notification'>
export type CardId = IdOf<'card'>
export type TagId = IdOf<'tag'>
export type CollectionId = IdOf<'collection'>
export type CollectionItemId = IdOf<'collectionItem'>
export type InviteId = IdOf<'invite'>
export type RoleId = IdOf<'role'>
export type ListId = IdOf<'list'>
export type FilterId = IdOf<'filter'>
export type FilterKeywordId = IdOf<'filter keyword'>
export type FilterStatusId = IdOf<'filter status'>
export type RelayId = IdOf<'relay'>
export type WebhookId = IdOf<'webhook'>
export type WebhookDeliveryId = IdOf<'webhook delivery'>

/**
 * The instance actor: its id is below every generated one, and no user belongs to it. Never listed, found or
 * shown.
 */
export const instanceActorId: AccountId = -99

/**
 * Suspended account that has the statuses whose removal takes several parts: the rule of visibility hides them from
 * everybody, their author included. Never listed, found or shown.
 */
export const removedAuthorId: AccountId = -98
