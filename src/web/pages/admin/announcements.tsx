import * as z from 'zod'
import { execute } from '../../../db/query'
import { addAnnouncement } from '../../../domain/announcements/add'
import {
  removeAnnouncement,
  setAnnouncementPublished,
  updateAnnouncement,
} from '../../../domain/announcements/change'
import {
  type AnnouncementRow,
  announcementState,
  findAnnouncement,
  findAnnouncements,
} from '../../../domain/announcements/find'
import { Invalid } from '../../../errors'
import { message } from '../../../lib/translate'
import { Day } from '../../components/day'
import { checkbox, textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({
  text: textField(),
  starts_at: textField(40),
  ends_at: textField(40),
  all_day: checkbox,
  publish_at: textField(40),
})
type Input = z.output<typeof form>

/** Time of a field in UTC; null for an empty one. `Invalid` for anything else. */
function timeIn(text: string): Date | null {
  if (text === '') return null
  const time = new Date(`${text}Z`)
  if (Number.isNaN(time.getTime())) throw new Invalid('invalid_time')
  return time
}

function orderOf(input: Input) {
  return {
    text: input.text,
    startsAt: timeIn(input.starts_at),
    endsAt: timeIn(input.ends_at),
    allDay: input.all_day,
  }
}

/** Time as a field shows it: UTC to the minute. */
function fieldTime(time: Date | null): string {
  return time?.toISOString().slice(0, 16) ?? ''
}

const change: Required<Resource<typeof form, AnnouncementRow>>['change'] = {
  find: findAnnouncement,
  values: ({ text, startsAt, endsAt, allDay, publishedAt }) => ({
    text,
    starts_at: fieldTime(startsAt),
    ends_at: fieldTime(endsAt),
    all_day: String(allDay),
    publish_at: fieldTime(publishedAt),
  }),
  run: async (ctx, moderator, id, input) => {
    const publishAt = timeIn(input.publish_at)
    // The form sends the time of a published announcement too, which cannot change.
    const stored = await execute(ctx.db, findAnnouncement(ctx, id))
    const isSame = input.publish_at === fieldTime(stored?.publishedAt ?? null)
    return updateAnnouncement(ctx, moderator, id, {
      ...orderOf(input),
      ...(publishAt === null || isSame ? {} : { publishAt }),
    })
  },
}

const announcements: Resource<typeof form, AnnouncementRow> = {
  path: '/admin/announcements',
  title: message('Announcements'),
  one: message('Announcement'),
  access: 'manageAnnouncements',
  order: 110,
  intro: message('Apps show them to every member until they are over. Times are in UTC.'),
  form,
  fields: [
    { name: 'text', label: message('Text'), kind: 'lines', maxlength: 10_000 },
    { name: 'starts_at', label: message('Event begins'), kind: 'time', isOptional: true },
    { name: 'ends_at', label: message('Event ends'), kind: 'time', isOptional: true },
    { name: 'all_day', label: message('All day'), kind: 'checkbox' },
    {
      name: 'publish_at',
      label: message('Published'),
      kind: 'time',
      hint: message('Empty: at once.'),
      isOptional: true,
    },
  ],
  find: findAnnouncements,
  pageLength: 20,
  entry: (row, now) => ({
    id: row.id,
    name: row.text.slice(0, 200),
    badges: [announcementState(row, now)],
    lines: row.startsAt === null ? [] : [<Day at={row.startsAt} withTime={!row.allDay} />],
  }),
  add: {
    label: message('Announce'),
    run: (ctx, moderator, input) =>
      addAnnouncement(ctx, moderator, { ...orderOf(input), publishAt: timeIn(input.publish_at) }),
  },
  change,
  acts: [
    {
      verb: 'publish',
      label: message('Publish now'),
      notice: message('Published.'),
      isOffered: ({ publishedAt }) => publishedAt === null,
      run: (ctx, moderator, id) => setAnnouncementPublished(ctx, moderator, id, true),
    },
    {
      verb: 'unpublish',
      label: message('Withdraw'),
      notice: message('The announcement is a draft again.'),
      isOffered: ({ publishedAt }) => publishedAt !== null,
      run: (ctx, moderator, id) => setAnnouncementPublished(ctx, moderator, id, false),
    },
  ],
  remove: {
    label: message('Delete'),
    effect: message('Its reactions are deleted too.'),
    run: removeAnnouncement,
  },
}

export const announcementsPage = memberPage(resourceList(announcements))
export const announcementPage = memberPage(resourceEntry({ ...announcements, change }))
