import type { Config } from '../../config'
import { combineQueries, constant, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { reactionWithId } from '../../domain/interactions/find-reactions'
import { statusReference } from '../../domain/statuses/find-reference'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { emojiReactActivity, type InteractionFacts, undoActivity } from '../serialise/activities'
import { reactionTag } from '../serialise/tags'
import type { OutboundDelivery } from './delivery'

type ReactionEvent = Extract<FederatedEvent, { kind: 'reaction.created' | 'reaction.removed' }>
type Reaction = Pick<Extract<ReactionEvent, { kind: 'reaction.removed' }>, 'name' | 'emoji'>

/** Federates an EmojiReact or its Undo to the status's author alone. Skipped if withdrawn meanwhile. */
export async function reactionChanged(ctx: Ctx, event: ReactionEvent): Promise<OutboundDelivery | null> {
  const { kind, accountId, statusId, reactionId } = event
  const { parties, status, reaction } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      status: statusReference(ctx, statusId),
      reaction: kind === 'reaction.removed' ? constant(event) : reactionWithId(ctx, reactionId),
    }),
  )
  const sender = parties.get(accountId)
  if (sender === undefined || sender.domain !== null || reaction === null) return null
  if (status === null || status.local) return null
  const author = (await execute(ctx.db, actorRefsOf(ctx, [status.authorId]))).get(status.authorId)
  if (author === undefined) return null
  const interaction = { actor: sender.uri, id: reactionId, object: status.uri }
  const activity = activityOf(ctx.config, interaction, { ...reaction, author: author.uri })
  const activities = [kind === 'reaction.created' ? activity : undoActivity(activity)]
  const recipients = { people: [author.id], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients }
}

function activityOf(
  config: Config,
  interaction: InteractionFacts,
  { name, emoji, author }: Reaction & { readonly author: string },
) {
  if (emoji === null) return emojiReactActivity(interaction, { content: name, tag: null, author })
  const content = `:${emoji.shortcode}:`
  return emojiReactActivity(interaction, { content, tag: reactionTag(config, emoji), author })
}
