-- Opens files in Neovim with the language server attached, and checks what a user would see.
-- Works from Neovim 0.7 on: it starts the client by hand, where docs/editors.md uses 0.11's configuration.

local root, server = vim.env.FIXTURES, vim.env.KINDSMITH
local failed = 0

local function check(what, is_right, seen)
  print((is_right and "ok      " or "FAILED  ") .. what .. (is_right and "" or ": " .. vim.inspect(seen)))
  failed = failed + (is_right and 0 or 1)
end

local client = vim.lsp.start_client({ name = "kindsmith", cmd = { server, "lsp" }, root_dir = root })

local function open(file)
  vim.cmd("edit " .. root .. "/" .. file)
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client)
  return buffer
end

-- Waits until the diagnostics of a buffer satisfy a condition; the deadline is for a server that never answers.
local function diagnostics(buffer, is_enough)
  local found
  vim.wait(20000, function()
    found = vim.diagnostic.get(buffer)
    return is_enough(found)
  end, 20)
  return found
end

local function request(buffer, method, line, column, more)
  local parameters = vim.tbl_extend("force", {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = column },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 20000) or {}
  return (answers[client] or {}).result
end

local function line_with(buffer, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number - 1, line
    end
  end
end

local function has(items, is_it)
  return vim.tbl_count(vim.tbl_filter(is_it, items or {})) > 0
end

-- A manifest against a CRD of the workspace.
local wrong = open("wrong.yaml")
local found = diagnostics(wrong, function(all) return #all > 0 end)
local at = line_with(wrong, "color:")
check("an unknown field is marked at its line", has(found, function(one) return one.lnum == at end), found)

-- Mending the file ends the findings.
vim.api.nvim_buf_set_lines(wrong, at, at + 1, false, {})
local rest = diagnostics(wrong, function(all) return #all < #found end)
check("a mended line has no finding any more", #rest < #found, rest)

-- A chart is not red: what is opened after it has its findings, and the chart has none.
local chart = open("chart/templates/gate.yaml")
diagnostics(open("late.yaml"), function(all) return #all > 0 end)
local quiet = vim.diagnostic.get(chart)
check("a template of a chart has no findings", #quiet == 0, quiet)

-- Values of built-in enums.
local pod = open("pod.yaml")
local line, text = line_with(pod, "restartPolicy:")
local answer = request(pod, "textDocument/completion", line, #text) or {}
local items = answer.items or answer
local offers = function(name) return has(items, function(item) return item.label:gsub('"', "") == name end) end
check("values of an enum are offered", offers("Always") and offers("OnFailure") and offers("Never"), items)

-- Tags that fit the type of a field, and hovers.
local types = open("api/types.go")
local tag, above = line_with(types, "// +k8s:m")
answer = request(types, "textDocument/completion", tag, #above) or {}
items = answer.items or answer
local tags = function(name) return has(items, function(item) return item.label:find(name, 1, true) ~= nil end) end
check("a tag for strings is offered on a string", tags("maxLength"), items)
check("a tag for lists is not offered on a string", not tags("maxItems"), items)

vim.lsp.stop_client(client)
check("the server stops", vim.wait(20000, function() return vim.lsp.get_client_by_id(client) == nil end, 20))
vim.cmd(failed == 0 and "qall!" or "cquit 1")
