import { defaultCleanup } from '../../src/domain/cleanup/cleanup-policy'
import { problem } from '../../src/errors/sentences'
import { CleanupPage, type CleanupPageProps } from '../../src/web/pages/settings/cleanup'
import { ScheduledPage } from '../../src/web/pages/settings/scheduled'
import type { NamedPage } from './every-page'

/** The pages of what waits for its time, and of what goes with time. */
export function schedulePages(
  form: Pick<CleanupPageProps, 'site' | 'viewer' | 'csrfToken'>,
  text: string,
): readonly NamedPage[] {
  const typed = { minFavourites: '5', minReblogs: '' }
  const policy = { ...defaultCleanup, enabled: true }
  const problems = [problem('not_positive_or_empty', { field: 'favourites' })]
  const cleanup = { ...form, policy, typed, message: 'admin.saved' } as const
  const at = new Date('2026-03-01T10:00:00Z')
  const posts = [
    { id: 2, text, at, files: 2, failure: null },
    {
      id: 1,
      text: '',
      at,
      files: 1,
      failure: 'The post you are trying to reply to does not appear to exist.',
    },
  ]
  const scheduled = {
    ...form,
    posts,
    nextPath: '/settings/scheduled?max_id=1',
    message: 'settings.scheduled.postDeleted',
  } as const
  return [
    { name: 'cleanup', page: <CleanupPage {...cleanup} errors={{}} /> },
    {
      name: 'cleanup-wrong',
      page: <CleanupPage {...cleanup} errors={{ fields: { favourites: problems } }} />,
    },
    { name: 'scheduled', page: <ScheduledPage {...scheduled} /> },
    {
      name: 'scheduled-none',
      page: <ScheduledPage {...scheduled} posts={[]} nextPath={null} message={null} />,
    },
  ]
}
