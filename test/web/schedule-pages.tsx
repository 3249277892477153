import { defaultCleanup } from '../../src/domain/cleanup/cleanup-policy'
import { problem } from '../../src/errors/sentences'
import type { Page } from '../../src/web/page-context'
import { CleanupPage } from '../../src/web/pages/settings/cleanup'
import { ScheduledPage } from '../../src/web/pages/settings/scheduled'
import { TermsNoticePage } from '../../src/web/pages/settings/terms'
import { Shown } from '../support/shown'
import type { NamedPage } from './every-page'

/** The pages of what waits for its time, and of what goes with time. */
export function schedulePages(form: Pick<Page, 'viewer'>, text: string): readonly NamedPage[] {
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
    { name: 'cleanup', page: <Shown of={CleanupPage} {...cleanup} errors={{}} /> },
    {
      name: 'cleanup-wrong',
      page: <Shown of={CleanupPage} {...cleanup} errors={{ fields: { favourites: problems } }} />,
    },
    {
      name: 'terms-notice',
      page: (
        <Shown
          of={TermsNoticePage}
          viewer={form.viewer}
          returnTo="/start"
          notice={{
            effectiveOn: '2027-01-02',
            isAhead: true,
            changelogHtml: '<p>We say what we keep, and for how long.</p>',
            termsPath: '/terms-of-service/2027-01-02',
          }}
        />
      ),
    },
    {
      name: 'terms-seen',
      page: <Shown of={TermsNoticePage} viewer={form.viewer} returnTo="" notice={null} />,
    },
    { name: 'scheduled', page: <Shown of={ScheduledPage} {...scheduled} /> },
    {
      name: 'scheduled-none',
      page: <Shown of={ScheduledPage} {...scheduled} posts={[]} nextPath={null} message={null} />,
    },
  ]
}
