import { createContext, useContext } from 'hono/jsx'

/** Properties that the posts of a page share. */
export interface PostsContext {
  readonly now: Date
  readonly csrfToken: string
  /** Path that their buttons lead back to. */
  readonly returnTo: string
}

const Posts = createContext<PostsContext>({ now: new Date(0), csrfToken: '', returnTo: '/' })

/** Around the posts of a page. */
export const PostsProvider = Posts.Provider

export function usePosts(): PostsContext {
  return useContext(Posts)
}
