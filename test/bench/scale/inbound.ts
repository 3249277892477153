import { deleteOwnAccount } from '../../../src/domain/accounts/delete-own'
import { tasks } from '../../../src/tasks'
import type { Document } from '../../support/fediverse/documents'
import { context } from '../../support/test-app'
import type { World } from './world'
import type { WriteCase } from './writes'

const reader = 'https://fieldfare.test/users/reader'
const readerMention = { uri: reader, handle: 'reader@fieldfare.test' }

const kept = new Map<string, Document>()
/** An activity that a later case undoes, updates or deletes. */
function keep(name: string, activity: Document): Document {
  kept.set(name, activity)
  return activity
}
const keptAs = (name: string): Document => kept.get(name) ?? {}

const inbound = (
  name: string,
  activity: (world: World) => Document | Promise<Document>,
  by: 'prolific' | 'stranger' = 'prolific',
): WriteCase => ({
  name,
  run: async (world) => world.deliver(world[by], await activity(world)),
})

const viralUri = ({ uriOf, instance }: World) => uriOf(instance.facts.statuses.viral)

/** Every kind of activity. */
export const activities: readonly WriteCase[] = [
  inbound('Create of a followed author', ({ prolific }) => prolific.create(keep('note', prolific.note()))),
  inbound('Create that mentions', ({ prolific }) =>
    prolific.create(prolific.note({ mentions: [readerMention] })),
  ),
  inbound('Create with tags', ({ prolific }) =>
    prolific.create(prolific.note({ hashtags: ['tag0', 'tag1'] })),
  ),
  inbound('Create that answers the viral status', async (world) =>
    world.prolific.create(world.prolific.note({ inReplyTo: await viralUri(world) })),
  ),
  inbound('Create with a poll', ({ prolific }) => prolific.create(prolific.question())),
  inbound('Create of a stranger', ({ stranger }) => stranger.create(stranger.note()), 'stranger'),
  inbound('Update of a note', ({ prolific }) =>
    prolific.update({ ...keptAs('note'), content: '<p>Else</p>', updated: '2026-11-01T13:00:00Z' }),
  ),
  inbound('Delete of a note', ({ prolific }) => prolific.delete(keptAs('note'))),
  inbound('Announce of the viral status', async (world) =>
    keep('announce', world.prolific.announce(await viralUri(world))),
  ),
  inbound('Undo of the Announce', ({ prolific }) => prolific.undo(keptAs('announce'))),
  inbound(
    'Like of the viral status',
    async (world) => keep('like', world.stranger.like(await viralUri(world))),
    'stranger',
  ),
  inbound('Undo of the Like', ({ stranger }) => stranger.undo(keptAs('like')), 'stranger'),
  inbound(
    'EmojiReact to the viral status',
    async (world) => keep('react', world.stranger.emojiReact(await viralUri(world), '🎉')),
    'stranger',
  ),
  inbound('Undo of the EmojiReact', ({ stranger }) => stranger.undo(keptAs('react')), 'stranger'),
  inbound(
    'Follow of the star',
    ({ stranger }) => keep('follow', stranger.follow('https://fieldfare.test/users/star')),
    'stranger',
  ),
  inbound('Undo of the Follow', ({ stranger }) => stranger.undo(keptAs('follow')), 'stranger'),
  inbound('Update of an actor', ({ prolific }) => prolific.update()),
  inbound(
    'Block of the reader',
    ({ stranger }) => keep('block', stranger.block({ uri: reader })),
    'stranger',
  ),
  inbound('Undo of the Block', ({ stranger }) => stranger.undo(keptAs('block')), 'stranger'),
  inbound(
    'Flag of the viral status',
    async (world) =>
      world.stranger.flag(['https://fieldfare.test/users/viral', await viralUri(world)], 'Spam'),
    'stranger',
  ),
  inbound('Delete of an unknown note', ({ prolific }) => prolific.delete(`${prolific.uri}/statuses/unknown`)),
  inbound('Like of an unknown note', ({ prolific }) => prolific.like('https://elsewhere.example/notes/1')),
]

/** Deletions of whole accounts. */
export const farewells: readonly WriteCase[] = [
  inbound('Delete of the prolific actor', ({ prolific }) => prolific.deleteSelf()),
  {
    name: 'deletion of an own account',
    run: async ({ meter, instance }) => {
      await deleteOwnAccount(context(meter.overrides), instance.facts.accounts.withdrawn)
      return 0
    },
  },
]

/** Every periodic task, as it runs on an instance where nothing happens: the first run may find something to do. */
export const periodic: readonly WriteCase[] = tasks.flatMap(({ name, run }) =>
  ['first', 'again'].map((time) => ({
    name: `${name}, ${time}`,
    run: async ({ meter }: World) => {
      await run(context(meter.overrides))
      return 0
    },
  })),
)
