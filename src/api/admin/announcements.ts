import * as z from 'zod'
import { AdminAnnouncement } from '../../contract/entities/admin/instance'
import { Flag, Id, Instant } from '../../contract/scalars'
import { addAnnouncement } from '../../domain/announcements/add'
import {
  announcementOrNotFound,
  removeAnnouncement,
  setAnnouncementPublished,
  updateAnnouncement,
} from '../../domain/announcements/change'
import {
  type AnnouncementRow,
  announcementState,
  findAnnouncement,
  findAnnouncements,
} from '../../domain/announcements/find'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { presentAdminAnnouncement } from '../../view/present/admin-instance'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const path = '/api/fieldfare/v1/admin/announcements'
const reading = staff('admin:read', 'manageAnnouncements')
const writing = staff('admin:write', 'manageAnnouncements')

const ById = z.object({ id: Id })
const Fields = z.object({
  text: z.string().optional(),
  starts_at: Instant,
  ends_at: Instant,
  all_day: Flag,
  publish_at: Instant,
})

export const adminAnnouncements = [
  readEndpoint({
    path,
    summary: 'Every announcement, newest first: drafts, scheduled, published, and those that are over',
    auth: reading,
    input: z.object(paging(40, 100)),
    output: z.array(AdminAnnouncement),
    read: (ctx, { input }) => findAnnouncements(ctx, pageOf(input)),
    show: ({ clock }, { found, request, input }) =>
      page(
        found.map((row) => present(row, clock.now())),
        request,
        { cursors: found.map(({ id }) => id), limit: input.limit },
      ),
  }),
  endpoint({
    path,
    summary: 'Announces at once, at `publish_at`, or with `published=false` not yet',
    auth: writing,
    input: Fields.extend({ text: z.string(), published: Flag.default(true) }),
    output: AdminAnnouncement,
    run: async (ctx, { input, viewer }) => {
      const id = await addAnnouncement(ctx, viewer, {
        text: input.text,
        startsAt: input.starts_at ?? null,
        endsAt: input.ends_at ?? null,
        allDay: input.all_day ?? false,
        publishAt: input.publish_at ?? null,
        isDraft: !input.published,
      })
      return presentById(ctx, id)
    },
  }),
  readEndpoint({
    path: `${path}/:id`,
    summary: 'One announcement',
    auth: reading,
    input: ById,
    output: AdminAnnouncement,
    read: (ctx, { input }) => findAnnouncement(ctx, input.id),
    show: ({ clock }, { found }) => {
      if (found === null) throw new NotFound()
      return present(found, clock.now())
    },
  }),
  ...updateEndpoints({
    path: `${path}/:id`,
    summary: 'Changes an announcement; fields that are left out stay, empty times are removed',
    auth: staff('admin:write', 'manageAnnouncements'),
    input: Fields.extend(ById.shape),
    output: AdminAnnouncement,
    run: async (ctx, { input, viewer, request: { params } }) => {
      const { id, text, starts_at, ends_at, all_day, publish_at } = input
      await updateAnnouncement(ctx, viewer, id, {
        ...(text === undefined ? {} : { text }),
        ...(Object.hasOwn(params, 'starts_at') ? { startsAt: starts_at ?? null } : {}),
        ...(Object.hasOwn(params, 'ends_at') ? { endsAt: ends_at ?? null } : {}),
        ...(all_day === undefined ? {} : { allDay: all_day }),
        ...(publish_at === undefined ? {} : { publishAt: publish_at }),
      })
      return presentById(ctx, id)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes an announcement with its reactions',
    auth: writing,
    input: ById,
    run: (ctx, { input, viewer }) => removeAnnouncement(ctx, viewer, input.id),
  }),
  ...(['publish', 'unpublish'] as const).map((verb) =>
    endpoint({
      path: `${path}/:id/${verb}`,
      summary:
        verb === 'publish'
          ? 'Publishes an announcement now'
          : 'Makes an announcement a draft, shown to nobody',
      auth: writing,
      input: ById,
      output: AdminAnnouncement,
      run: async (ctx, { input, viewer }) => {
        await setAnnouncementPublished(ctx, viewer, input.id, verb === 'publish')
        return presentById(ctx, input.id)
      },
    }),
  ),
]

async function presentById(ctx: Ctx, id: number) {
  return present(await announcementOrNotFound(ctx, id), ctx.clock.now())
}

function present(row: AnnouncementRow, now: Date) {
  return presentAdminAnnouncement(row, announcementState(row, now))
}
