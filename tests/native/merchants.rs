//! Merchants and those who manage them: settings, users, operators, sign-on, tokens, secrets.

mod access;
mod administration;
mod attention;
mod brand;
mod clock;
mod configured;
mod operator;
mod operator_answers;
mod recalled;
mod reseal;
mod retention;
mod settings;
mod sign_on;
mod tokens;
