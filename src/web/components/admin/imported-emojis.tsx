import type { EmojiImport, ImportRefusal } from '../../../domain/custom-emojis/import'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { PageProps } from '../../site'
import { FormPage } from '../form-page'

const reasons: Readonly<Record<ImportRefusal, string>> = {
  'no-picture': message('no PNG, GIF or WebP'),
  shortcode: message('its name is no shortcode: 2 to 128 letters, digits and underscores'),
  'too-large': message('larger than 256 KB'),
  twice: message('another file in the archive has this name'),
  taken: message('there is an emoji of this name'),
}

/** Outcome of an archive of emojis: shown once. */
export function ImportedEmojis({ site, viewer, shortcodes, refused }: PageProps & EmojiImport) {
  const t = useTranslation()
  return (
    <FormPage site={site} viewer={viewer} title={t('Import of emojis')} errors={{}}>
      <p>
        {t(
          '{count, plural, one {# picture is being added} other {# pictures are being added}}. It takes about a minute for a hundred.',
          { count: shortcodes.length },
        )}
      </p>
      {refused.length > 0 && (
        <>
          <h2>{t('Left out')}</h2>
          <ul>
            {refused.map(({ name, reason }) => (
              <li>
                <bdi>{name}</bdi>: {t(reasons[reason])}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={paths.customEmojis}>{t('Custom emojis')}</a>
      </p>
    </FormPage>
  )
}
