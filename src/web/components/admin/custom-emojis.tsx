import type { AdminCustomEmoji } from '../../../contract/entities/admin/instance'
import { emojiMimes } from '../../../lib/media/sniff'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import type { FoundEmojis } from '../../pages/admin/load-custom-emojis'
import { paths } from '../../paths'
import { Button } from '../button'
import { Command } from '../confirm'
import { FileField, SelectField, TextField } from '../field'
import { hasErrors, PostForm } from '../form'
import { More, Panel, Tabs } from './panel'

type Local = FoundEmojis & { readonly where: 'local' }
type Remote = FoundEmojis & { readonly where: 'remote' }
type Page = PageView<FoundEmojis, string>
const path = paths.customEmojis

export function CustomEmojisView({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel page={page} title={t('Custom emojis')} current={path}>
      <Tabs
        label={t('Custom emojis')}
        tabs={[
          { href: path, text: t('This server'), isCurrent: found.where === 'local' },
          { href: `${path}?where=remote`, text: t('Other servers'), isCurrent: found.where === 'remote' },
        ]}
      />
      {found.where === 'local' ? (
        <LocalEmojis page={page} found={found} />
      ) : (
        <RemoteEmojis found={found} csrfToken={page.csrfToken} />
      )}
    </Panel>
  )
}

function LocalEmojis({ page, found }: { readonly page: Page; readonly found: Local }) {
  const t = useTranslation()
  const { csrfToken, errors, typed } = page
  const isArchiveRefused =
    typed('archive_category') !== '' || page.errors.form?.startsWith('Archive') === true
  const isFiltered = found.q !== '' || found.category !== ''
  return (
    <>
      <div class="side-by-side">
        <details class="card" open={(hasErrors(errors) && !isArchiveRefused) || found.emojis.length === 0}>
          <summary>
            <h2>{t('Add an emoji')}</h2>
          </summary>
          <PostForm action={path} csrfToken={csrfToken} hasFiles>
            <FileField
              name="image"
              label={t('Picture')}
              hint={t('PNG, GIF or WebP of at most 256 KB; square ones look best.')}
              accept={emojiMimes.join(',')}
            />
            <TextField
              name="shortcode"
              label={t('Shortcode')}
              hint={t('Letters, digits and underscores: what people write between two colons.')}
              value={typed('shortcode')}
              autocomplete="off"
              maxlength={128}
            />
            <TextField
              name="category"
              label={t('Category')}
              value={typed('category')}
              autocomplete="off"
              maxlength={100}
              isOptional
            />
            <Button>{t('Add emoji')}</Button>
          </PostForm>
        </details>
        <details class="card" open={hasErrors(errors) && isArchiveRefused}>
          <summary>
            <h2>{t('Import an archive')}</h2>
          </summary>
          <PostForm action={`${path}/import`} csrfToken={csrfToken} hasFiles>
            <FileField
              name="archive"
              label={t('Zip archive')}
              hint={t(
                'At most 500 pictures and 8 MB. The name of a file is its shortcode; emojis that exist stay as they are.',
              )}
              accept=".zip,application/zip"
            />
            <TextField
              name="archive_category"
              label={t('Category of all of them')}
              value={typed('archive_category')}
              autocomplete="off"
              maxlength={100}
              isOptional
            />
            <Button>{t('Import emojis')}</Button>
          </PostForm>
        </details>
      </div>
      <form class="filter" method="get" action={path}>
        <TextField name="q" label={t('Shortcode begins with')} value={found.q} autocomplete="off" isFilter />
        {found.categories.length > 0 && (
          <SelectField
            name="in_category"
            label={t('In the category')}
            value={found.category}
            options={[
              { value: '', text: t('All') },
              ...found.categories.map(({ name, count }) => ({ value: name, text: `${name} (${count})` })),
            ]}
          />
        )}
        <Button look="secondary">{t('Filter')}</Button>
      </form>
      {found.emojis.length === 0 ? (
        <p class="muted">{isFiltered ? t('No emoji is like that.') : t('There are no custom emojis yet.')}</p>
      ) : (
        <ul class="emoji-grid card">
          {found.emojis.map((emoji) => (
            <li>
              <EmojiEntry emoji={emoji} csrfToken={csrfToken} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
      {found.categories.length > 0 && <Categories found={found} csrfToken={csrfToken} />}
    </>
  )
}

function EmojiEntry({ emoji, csrfToken }: { readonly emoji: AdminCustomEmoji; readonly csrfToken: string }) {
  const t = useTranslation()
  const { id, shortcode, url, category, disabled, visible_in_picker: isVisible } = emoji
  return (
    <>
      <img
        src={url}
        alt=""
        width="40"
        height="40"
        loading="lazy"
        class={disabled ? 'emoji-off' : undefined}
      />
      <div>
        <a href={`${path}/${id}`}>
          <bdi>:{shortcode}:</bdi>
        </a>
        {category !== null && (
          <span class="muted">
            <bdi>{category}</bdi>
          </span>
        )}
        {disabled && <span class="badge badge-warning">{t('disabled')}</span>}
        {!isVisible && <span class="badge">{t('not in pickers')}</span>}
        <div class="actions">
          <Command
            action={`${path}/${id}/${disabled ? 'enable' : 'disable'}`}
            csrfToken={csrfToken}
            about={shortcode}
          >
            {disabled ? t('Enable') : t('Disable')}
          </Command>
          <Command action={`${path}/${id}/delete`} csrfToken={csrfToken} about={shortcode} asks>
            {t('Delete')}
          </Command>
        </div>
      </div>
    </>
  )
}

function Categories({ found, csrfToken }: { readonly found: Local; readonly csrfToken: string }) {
  const t = useTranslation()
  return (
    <details class="card">
      <summary>
        <h2>{t('Categories')}</h2>
      </summary>
      <p class="muted">
        {t('The name of another category merges the two; an empty name removes the category.')}
      </p>
      <ul class="entries">
        {found.categories.map(({ name, count }, index) => (
          <li>
            <PostForm
              action={`${path}/categories`}
              csrfToken={csrfToken}
              hidden={{ from: name }}
              class="inline-fields"
            >
              <label for={`category-${index}`}>
                <bdi>{name}</bdi>{' '}
                <span class="muted">{t('{count, plural, one {# emoji} other {# emojis}}', { count })}</span>
              </label>
              <input
                id={`category-${index}`}
                name="to"
                type="text"
                value={name}
                maxlength={100}
                autocomplete="off"
              />
              <Button look="secondary">{t('Rename')}</Button>
            </PostForm>
          </li>
        ))}
      </ul>
    </details>
  )
}

function RemoteEmojis({ found, csrfToken }: { readonly found: Remote; readonly csrfToken: string }) {
  const t = useTranslation()
  return (
    <>
      <form class="filter" method="get" action={path}>
        <input type="hidden" name="where" value="remote" />
        <TextField
          name="domain"
          label={t('Server')}
          value={found.domain}
          autocomplete="off"
          maxlength={300}
        />
        <TextField name="q" label={t('Shortcode contains')} value={found.q} autocomplete="off" isFilter />
        <Button look="secondary">{t('Show its emojis')}</Button>
      </form>
      {found.problem === 'name' && <p class="field-error">{t('This is no domain.')}</p>}
      {found.problem === 'silent' && <p class="field-error">{t('The server does not answer.')}</p>}
      {found.domain !== '' && found.problem === null && found.listed.length === 0 && (
        <p class="muted">{t('The server publishes no such emojis.')}</p>
      )}
      {found.listed.length > 0 && (
        <ul class="emoji-grid card">
          {found.listed.map(({ shortcode, url, isTaken }) => (
            <li>
              <img src={url} alt="" width="40" height="40" loading="lazy" />
              <div>
                <bdi>:{shortcode}:</bdi>
                {isTaken ? (
                  <span class="muted">{t('There is one of this name.')}</span>
                ) : (
                  <Command
                    action={`${path}/copy`}
                    csrfToken={csrfToken}
                    hidden={{ shortcode, domain: found.domain }}
                    about={shortcode}
                  >
                    {t('Copy')}
                  </Command>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {found.isLonger && <p class="muted">{t('There are more: look for a shortcode.')}</p>}
    </>
  )
}
