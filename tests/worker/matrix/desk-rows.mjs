/**
 * A row for each address of the desk: who may go there (`anyone`, `signed in`, or permissions that are enough together), with
 * what a request succeeds, and what it answers. `path` and `fields` are given the ids of the visitor's own merchant, or those of
 * another one, which must be answered like ids that do not exist.
 */
export const DESK_ROWS = [
  { name: "desk_style", access: "anyone", path: ({ style }) => `/style/${style}`, status: 200 },
  { name: "desk_show_sign_in", access: "anyone", path: () => "/sign-in/", status: 200 },
  { name: "desk_sign_in", access: "anyone", path: () => "/sign-in/", fields: () => ({ username: "nobody", password: "nothing" }), status: 401 },
  { name: "desk_sign_out", access: "signed in", path: () => "/sign-out/", fields: () => ({}), status: 303, endsSession: true },
  { name: "desk_choose_language", access: "signed in", path: () => "/language/", fields: () => ({ language: "en" }), status: 303 },
  { name: "desk_home", access: "signed in", path: () => "/", status: 200 },
];
