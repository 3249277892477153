import type { CollectionEvidence, Evidence } from '../../../contract/entities/admin/evidence'
import { storedText } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { Day } from '../day'
import { Prose } from '../prose'
import { WarnedContent } from '../warned-content'
import { visibilityTexts } from './report-words'

/** A post as it was when it was reported. Its pictures and its text are hostile: behind a click where sensitive. */
export function EvidenceCard({ evidence }: { readonly evidence: Evidence }) {
  const t = useTranslation()
  const { spoiler_text: warning, media_attachments: media, poll_options: poll } = evidence
  const body = (
    <>
      <div class="status-text" lang={evidence.language ?? undefined} dir="auto">
        <Prose html={evidence.content} />
      </div>
      {poll !== null && (
        <ul>
          {poll.map((option) => (
            <li>
              <bdi>{option}</bdi>
            </li>
          ))}
        </ul>
      )}
      {media.length > 0 && (
        <details class="covered" open={!evidence.sensitive}>
          <summary class="cover-words">{t('admin.files', { count: media.length })}</summary>
          <ul class={media.length === 1 ? 'gallery-of one-of' : 'gallery-of'}>
            {media.map(({ type, url, preview_url: preview, description }) => (
              <li>
                {url === null ? (
                  <p class="quiet small">{t('admin.evidence.fileGone')}</p>
                ) : (
                  <a class="media-link" href={url}>
                    {type === 'image' && preview !== null ? (
                      <img
                        src={preview}
                        alt={description ?? t('common.pictureWithoutDescription')}
                        loading="lazy"
                      />
                    ) : (
                      (description ?? type)
                    )}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
  return (
    <article class="block status">
      <WarnedContent warning={warning === '' ? null : warning}>{body}</WarnedContent>
      <footer class="status-footer quiet small">
        <a href={evidence.url} rel="nofollow noopener noreferrer">
          <Day at={new Date(evidence.created_at)} withTime />
        </a>
        <span class="tag">{storedText(t, visibilityTexts[evidence.visibility], evidence.visibility)}</span>
        {evidence.deleted && <span class="tag warn">{t('admin.evidence.deletedSince')}</span>}
        {evidence.sensitive && <span class="tag">{t('admin.sensitive')}</span>}
      </footer>
    </article>
  )
}

/** A collection as it was when it was reported. */
export function CollectionEvidenceCard({ evidence }: { readonly evidence: CollectionEvidence }) {
  const t = useTranslation()
  return (
    <article class="block">
      <h3>
        <bdi>{evidence.name}</bdi> <span class="tag">{t('admin.evidence.collection')}</span>
        {evidence.deleted && <span class="tag warn">{t('admin.evidence.deletedSince')}</span>}
      </h3>
      <Prose html={evidence.description} />
      <p class="quiet small">{evidence.members.join(', ')}</p>
    </article>
  )
}
