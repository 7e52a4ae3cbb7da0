//! Requests by name: parameters in, results out.

use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, GotoDefinition, HoverRequest, PrepareRenameRequest,
    Rename, Request,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams,
    CodeActionProviderCapability, CodeLensOptions, CodeLensParams, CompletionOptions, CompletionParams,
    CompletionResponse, GotoDefinitionParams, GotoDefinitionResponse, HoverParams, HoverProviderCapability,
    OneOf, PositionEncodingKind, PrepareRenameResponse, RenameOptions, RenameParams, SaveOptions,
    ServerCapabilities, TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceEdit,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::documents::Language;
use crate::go::definition::Definition;
use crate::text::Encoding;
use crate::uri::path;
use crate::workspace::Workspace;
use crate::{finding, go, manifest};

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The result; null if there is nothing to say.
    Result(Value),
    /// The request cannot be done, and why.
    Refused(String),
    /// The parameters are not those of the request.
    Invalid(String),
    /// No such request.
    Unknown,
}

/// What the server can do.
#[must_use]
pub fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                include_text: Some(false),
            })),
            ..TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["+", ":", "=", "(", ",", " "].map(str::to_owned).into()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        ..ServerCapabilities::default()
    }
}

impl Workspace {
    /// Answers a request.
    pub fn answer(&mut self, method: &str, params: Value) -> Answer {
        match method {
            Completion::METHOD => with(params, |params| {
                Ok(self.completion(&params).map(CompletionResponse::Array))
            }),
            HoverRequest::METHOD => with(params, |params| Ok(self.hover(&params))),
            GotoDefinition::METHOD => with(params, |params| Ok(self.definition(&params))),
            CodeActionRequest::METHOD => with(params, |params| Ok(self.actions(&params))),
            CodeLensRequest::METHOD => with(params, |params| Ok(self.lenses(&params))),
            PrepareRenameRequest::METHOD => with(params, |params| Ok(self.prepare_rename(&params))),
            Rename::METHOD => with(params, |params| self.rename(&params)),
            _ => Answer::Unknown,
        }
    }

    fn completion(&mut self, params: &CompletionParams) -> Option<Vec<lsp_types::CompletionItem>> {
        let (path, offset) = self.at(&params.text_document_position)?;
        match Language::of(&path) {
            Language::Go => {
                let (package, document) = self.package(&path)?;
                Some(go::complete::complete(package, &path, document, offset))
            }
            Language::Manifest => {
                let (crds, document) = self.crds(&path)?;
                Some(manifest::complete::complete(crds, document, offset))
            }
            Language::Other => None,
        }
    }

    fn hover(&mut self, params: &HoverParams) -> Option<lsp_types::Hover> {
        let (path, offset) = self.at(&params.text_document_position_params)?;
        match Language::of(&path) {
            Language::Go => {
                let (package, document) = self.package(&path)?;
                go::hover::hover(package, &path, document, offset)
            }
            Language::Manifest => {
                let (crds, document) = self.crds(&path)?;
                manifest::hover::hover(crds, document, offset)
            }
            Language::Other => None,
        }
    }

    fn definition(&mut self, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
        let (path, offset) = self.at_go(&params.text_document_position_params)?;
        let encoding = self.settings.encoding;
        let (package, document) = self.package(&path)?;
        let found = go::definition::definition(package, &path, document, offset, encoding)?;
        let mut places = match found {
            Definition::Known(places) => places,
            Definition::Foreign { package, name } => self
                .foreign_constant(&path, &package, &name)
                .into_iter()
                .collect(),
        };
        match places.len() {
            0 => None,
            1 => places.pop().map(GotoDefinitionResponse::Scalar),
            _ => Some(GotoDefinitionResponse::Array(places)),
        }
    }

    fn actions(&mut self, params: &CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
        let path = path(&params.text_document.uri)?;
        let encoding = self.settings.encoding;
        self.with_findings(&path, |findings, sources, document| {
            let is_asked =
                |range: lsp_types::Range| range.start <= params.range.end && params.range.start <= range.end;
            let mut actions = Vec::new();
            for found in findings {
                let shown = finding::diagnostic(found, &document.text, sources, encoding);
                if !is_asked(shown.range) {
                    continue;
                }
                let Some((title, is_safe, edits)) = finding::fix(found, &document.text) else {
                    continue;
                };
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![shown]),
                    edit: Some(finding::workspace_edit([(document.uri.clone(), edits)])),
                    is_preferred: Some(is_safe),
                    ..CodeAction::default()
                }));
            }
            actions
        })
    }

    fn lenses(&mut self, params: &CodeLensParams) -> Option<Vec<lsp_types::CodeLens>> {
        let path = path(&params.text_document.uri).filter(|path| Language::of(path) == Language::Go)?;
        let (package, document) = self.package(&path)?;
        Some(go::lens::lenses(package, &path, document))
    }

    fn prepare_rename(&mut self, params: &TextDocumentPositionParams) -> Option<PrepareRenameResponse> {
        let (path, offset) = self.at_go(params)?;
        let (package, document) = self.package(&path)?;
        go::rename::prepare(package, &path, document, offset).map(PrepareRenameResponse::Range)
    }

    fn rename(&mut self, params: &RenameParams) -> Result<Option<WorkspaceEdit>, String> {
        let Some((path, offset)) = self.at_go(&params.text_document_position) else {
            return Ok(None);
        };
        let encoding = self.settings.encoding;
        let Some((package, document)) = self.package(&path) else {
            return Ok(None);
        };
        go::rename::rename(package, &path, document, offset, &params.new_name, encoding)
    }

    /// The document and offset that a request is about.
    fn at(&self, params: &TextDocumentPositionParams) -> Option<(String, usize)> {
        let path = path(&params.text_document.uri)?;
        let offset = self.documents.get(&path)?.text.offset(params.position);
        Some((path, offset))
    }

    fn at_go(&self, params: &TextDocumentPositionParams) -> Option<(String, usize)> {
        self.at(params)
            .filter(|(path, _)| Language::of(path) == Language::Go)
    }
}

/// Reads parameters, answers, and writes the result.
fn with<P: DeserializeOwned, R: serde::Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<Option<R>, String>,
) -> Answer {
    let params = match serde_json::from_value(params) {
        Ok(params) => params,
        Err(error) => return Answer::Invalid(error.to_string()),
    };
    match answer(params) {
        Err(error) => Answer::Refused(error),
        Ok(result) => Answer::Result(serde_json::to_value(result).unwrap_or_default()),
    }
}
