import { softwareVersion } from '../../../contract/version'
import type { NewRelease } from '../../../domain/instance/releases'
import { useTranslation } from '../../i18n/context'
import { Day } from '../day'

const guide = '/docs/operate/upgrade/'

/** Newer release than the one that runs, with the end of the support of the latter; nothing where there is none. */
export function NewReleaseNotice({ release }: { readonly release: NewRelease | null }) {
  const t = useTranslation()
  if (release === null) return null
  const { version, releasedAt, url, updateUrl, supportedUntil } = release
  return (
    <section class="block" aria-labelledby="new-release">
      <h2 id="new-release">{t('admin.release.newVersion', { version })}</h2>
      <p>
        {t.rich('admin.release.releasedRunning', {
          running: softwareVersion,
          day: () => <Day at={releasedAt} />,
        })}{' '}
        {supportedUntil !== null &&
          t.rich('admin.release.supportEnds', {
            running: softwareVersion,
            day: () => <Day at={supportedUntil} />,
          })}
      </p>
      <p>
        {t.rich('admin.release.changesUpgrade', {
          changes: (words) => (
            <a href={url} rel="noopener">
              {words}
            </a>
          ),
          guide: (words) => <a href={guide}>{words}</a>,
        })}
      </p>
      {updateUrl !== null && (
        <p>
          {t.rich('admin.release.updateCopy', {
            workflow: (words) => (
              <a href={updateUrl} rel="noopener">
                {words}
              </a>
            ),
          })}
        </p>
      )}
    </section>
  )
}
