"""A Deepnote SQL block: in the export it is a code cell that calls Deepnote's own package.

sees: raised NameError: name '_deepnote_execute_sql' is not defined
"""

# %% before q1-answer
df_1 = _deepnote_execute_sql('SELECT 1', 'SQL_ALCHEMY_JSON_ENV_VAR')
