import { Icon } from '../components/icon'
import { MenuButton, MenuLink } from '../components/menu-rows'
import { useTranslation } from '../i18n/context'
import { usePosts } from '../posts/context'
import { personPagePath, writePaths } from './acts'
import type { Profile } from './profile-view'

/** Menu of an account, within the form of its buttons: everything but the one button. */
export function ProfileMenu({ profile }: { readonly profile: Profile }) {
  const t = useTranslation()
  const { name, isOwn, hiding } = profile
  return (
    <details class="menu">
      <summary class="button round" aria-label={t('client.person.moreAboutName', { name })}>
        <Icon name="ellipsis" />
      </summary>
      <div class="sheet">
        {!isOwn && hiding !== 'suspended' && <Writing profile={profile} />}
        <MenuLink icon="link" href={profile.path} label={t('client.person.linkToThisProfile')} />
        {profile.domain !== null && (
          <MenuLink icon="external-link" href={profile.url} label={t('client.openOnItsOwnServer')} />
        )}
        {!isOwn && (
          <>
            <Following profile={profile} />
            <hr />
            <Refusals profile={profile} />
          </>
        )}
      </div>
    </details>
  )
}

function Writing({ profile: { acct } }: { readonly profile: Profile }) {
  const t = useTranslation()
  return (
    <>
      <MenuLink icon="mail" href={writePaths.message(acct)} label={t('client.person.message')} />
      <MenuLink icon="at-sign" href={writePaths.mention(acct)} label={t('client.person.mention')} />
    </>
  )
}

/** Lists, boosts, the note, and featuring. */
function Following({ profile: { id, relationship } }: { readonly profile: Profile }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const { following, requested, muting, showing_reblogs: showsBoosts, endorsed, note } = relationship
  return (
    <>
      {(following || requested) && (
        <>
          <MenuLink
            icon="list"
            href={personPagePath(id, 'lists', { returnTo })}
            label={t('client.person.addToAList')}
          />
          <MenuButton
            icon="repeat-2"
            act={showsBoosts ? 'hide_boosts' : 'show_boosts'}
            label={t(showsBoosts ? 'client.person.hideBoosts' : 'client.person.showBoosts')}
          />
          <MenuLink
            icon="sliders-horizontal"
            href={personPagePath(id, 'shown', { returnTo })}
            label={t('client.person.whatHomeShows')}
            hint={t('client.person.repliesLanguagesFewer')}
          />
        </>
      )}
      {following && (
        <MenuButton
          icon="star"
          act={endorsed ? 'unendorse' : 'endorse'}
          label={t(endorsed ? 'client.person.unfeature' : 'client.person.feature')}
        />
      )}
      <MenuLink
        icon="pencil"
        href={personPagePath(id, 'note', { returnTo })}
        label={t(note === '' ? 'client.person.addANote' : 'client.person.editYourNote')}
      />
      {muting && (following || requested) && (
        <MenuButton icon="user-minus" act="unfollow" label={t('client.person.unfollow')} />
      )}
    </>
  )
}

/** Rows that end or limit the contact. */
function Refusals({ profile: { id, relationship, domain } }: { readonly profile: Profile }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const { followed_by: followsYou, muting, blocking, domain_blocking: isServerBlocked } = relationship
  return (
    <>
      {followsYou && (
        <MenuLink
          icon="user-minus"
          href={personPagePath(id, 'remove_follower', { returnTo })}
          label={t('client.person.removeFollower')}
          hint={t('client.person.theyNoLongerFollowYou')}
        />
      )}
      {!muting && !blocking && (
        <MenuButton
          icon="moon"
          act="snooze"
          label={t('client.person.snoozeForADay')}
          hint={t('client.person.snoozeEffect')}
        />
      )}
      {!muting && !blocking && (
        <MenuLink
          icon="volume-x"
          href={personPagePath(id, 'mute', { returnTo })}
          label={t('client.person.mute')}
          hint={t('client.person.youChooseForHowLong')}
        />
      )}
      {!blocking && (
        <MenuLink
          icon="ban"
          href={personPagePath(id, 'block', { returnTo })}
          label={t('client.person.block')}
          hint={t('client.person.theyCannotFollowYou')}
        />
      )}
      {domain !== null &&
        (isServerBlocked ? (
          <MenuButton icon="ban" act="unblock_server" label={t('client.person.unblockDomain', { domain })} />
        ) : (
          <MenuLink
            icon="ban"
            href={personPagePath(id, 'block_server', { returnTo })}
            label={t('client.person.blockDomain', { domain })}
          />
        ))}
      <MenuLink
        icon="flag"
        href={personPagePath(id, 'report', { returnTo })}
        label={t('client.person.report')}
        isDangerous
      />
    </>
  )
}
